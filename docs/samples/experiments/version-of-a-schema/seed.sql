-- Rows for the tables of version 2: 100 customers with 500 orders each. One order in fifty is open.
INSERT INTO orders (id, customer_id, state, placed_at)
SELECT n, n % 100, CASE WHEN (n / 100) % 50 = 0 THEN 'open' ELSE 'paid' END, TIMESTAMP '2026-01-01' + n * INTERVAL '1 minute'
FROM generate_series(1, 50000) AS n;
