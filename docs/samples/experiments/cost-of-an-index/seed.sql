CREATE TABLE events (
    id INT PRIMARY KEY,
    device_id INT NOT NULL,
    kind TEXT NOT NULL,
    happened_at TIMESTAMP NOT NULL
);

INSERT INTO events (id, device_id, kind, happened_at)
SELECT n, n % 700, 'kind ' || n % 20, TIMESTAMP '2026-01-01' + n * INTERVAL '1 second'
FROM generate_series(1, 100000) AS n;
