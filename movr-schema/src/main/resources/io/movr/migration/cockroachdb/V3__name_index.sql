-- Stage 3, name-index: a secondary index on what a query filters by.
--
-- What it teaches: a filter on a column outside the primary key reads the whole table; an index on that column turns
--   the full scan into a look-up.
-- Speeds up: SELECT * FROM users WHERE name = 'Natalie Cunningham'
-- Published: name-index, 3.11 (tuning-en) and 3.00 (tuning-zh) times faster.

CREATE INDEX IF NOT EXISTS users_name_idx ON users (name);
