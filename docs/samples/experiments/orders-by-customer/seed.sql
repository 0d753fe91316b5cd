-- 1,000 customers with 50 orders each. The rows are the same in every run, because nothing is random.
CREATE TABLE customers (
    id INT PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE TABLE orders (
    id INT PRIMARY KEY,
    customer_id INT NOT NULL REFERENCES customers (id),
    placed_at TIMESTAMP NOT NULL,
    total NUMERIC(10, 2) NOT NULL,
    note TEXT NOT NULL
);

INSERT INTO customers (id, name)
SELECT n, 'Customer ' || n FROM generate_series(1, 1000) AS n;

INSERT INTO orders (id, customer_id, placed_at, total, note)
SELECT n, 1 + n % 1000, TIMESTAMP '2026-01-01' + n * INTERVAL '1 minute', n % 500 + 0.99, repeat('x', 100)
FROM generate_series(1, 50000) AS n;
