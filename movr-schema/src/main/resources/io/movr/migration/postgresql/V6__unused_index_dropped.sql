-- Stage 6, unused-index-dropped: the index of stage 4 goes.
--
-- What it teaches: every index is written with every row. One that no query needs is all cost.
-- Speeds up: UPDATE users SET name = … WHERE name LIKE 'C%'
-- Published: unused-index, 4.35 (tuning-en) and 5.08 (tuning-zh) times faster.

DROP INDEX users_name_idx;
