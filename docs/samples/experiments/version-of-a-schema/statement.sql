SELECT id, placed_at FROM orders WHERE customer_id = :customer AND state = 'open' ORDER BY placed_at
