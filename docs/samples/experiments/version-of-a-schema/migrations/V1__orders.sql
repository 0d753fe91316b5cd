CREATE TABLE orders (
    id INT PRIMARY KEY,
    customer_id INT NOT NULL,
    state TEXT NOT NULL,
    placed_at TIMESTAMP NOT NULL
);
