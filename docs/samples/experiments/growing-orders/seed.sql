-- 20 orders for each of 50 customers, times :scale.
CREATE TABLE orders (
    id INT PRIMARY KEY,
    customer_id INT NOT NULL,
    total NUMERIC(10, 2) NOT NULL,
    note TEXT NOT NULL
);

INSERT INTO orders (id, customer_id, total, note)
SELECT n, 1 + n % (50 * :scale), n % 500 + 0.99, repeat('x', 100)
FROM generate_series(1, 1000 * :scale) AS n;
