CREATE INDEX orders_open_idx ON orders (customer_id, placed_at) WHERE state = 'open';
DROP INDEX orders_customer_idx;
