SELECT id, placed_at, total FROM orders WHERE customer_id = :customer ORDER BY placed_at
