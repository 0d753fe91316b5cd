SELECT id, total FROM orders WHERE customer_id = :customer ORDER BY id
