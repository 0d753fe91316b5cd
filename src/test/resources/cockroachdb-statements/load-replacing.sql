CREATE TABLE IF NOT EXISTS movr_loads (
    seed BIGINT NOT NULL,
    state VARCHAR NOT NULL,
    loaded_rows BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS movr_load_chunks (
    seed BIGINT NOT NULL,
    chunk BIGINT NOT NULL,
    PRIMARY KEY (seed, chunk)
);

SELECT 1 FROM movr_load_chunks WHERE chunk < 0 LIMIT 1;

TRUNCATE movr_loads, movr_load_chunks, users, vehicles, rides, vehicle_location_histories, promo_codes, user_promo_codes, idempotency_keys;

SELECT EXISTS (SELECT 1 FROM users);

SELECT EXISTS (SELECT 1 FROM vehicles);

SELECT EXISTS (SELECT 1 FROM rides);

SELECT EXISTS (SELECT 1 FROM vehicle_location_histories);

SELECT EXISTS (SELECT 1 FROM promo_codes);

SELECT EXISTS (SELECT 1 FROM user_promo_codes);

INSERT INTO movr_loads (seed, state, loaded_rows) VALUES ('1', 'loading 3ef6332c', '3400');

SELECT chunk FROM movr_load_chunks WHERE seed = '1';

COPY users ("id", "city", "name", "address", "credit_card") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('0', '0');

COPY vehicles ("id", "city", "type", "owner_id", "creation_time", "status", "current_location", "ext") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('1', '1');

COPY rides ("id", "city", "vehicle_city", "rider_id", "vehicle_id", "start_address", "end_address", "start_time", "end_time", "revenue") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('2', '2');

COPY vehicle_location_histories ("city", "ride_id", "timestamp", "lat", "long") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('3', '3');

COPY promo_codes ("code", "description", "creation_time", "expiration_time", "rules") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('4', '4');

COPY user_promo_codes ("city", "user_id", "code", "timestamp", "usage_count") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('5', '5');

DELETE FROM movr_load_chunks WHERE seed = 1;

DELETE FROM movr_loads WHERE state <> 'complete';

INSERT INTO movr_loads (seed, state, loaded_rows) VALUES ('1', 'complete', '3400');

ALTER TABLE vehicles ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, owner_id) REFERENCES users (city, id);

ALTER TABLE rides ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, rider_id) REFERENCES users (city, id), ADD CONSTRAINT IF NOT EXISTS fk_vehicle_city_ref_vehicles
    FOREIGN KEY (vehicle_city, vehicle_id) REFERENCES vehicles (city, id);

ALTER TABLE vehicle_location_histories ADD CONSTRAINT IF NOT EXISTS fk_city_ref_rides
    FOREIGN KEY (city, ride_id) REFERENCES rides (city, id);

ALTER TABLE user_promo_codes ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, user_id) REFERENCES users (city, id);

-- Stage 2, foreign-keys: every reference names the city too.
--
-- What it teaches: a foreign key that carries the city is checked among the rows of that city alone, and so never has
--   to leave the city's region. Rows are loaded before it: checking them all at once costs less than one by one.
-- Speeds up: nothing; it is what the later stages must keep true.
-- Published: no ratio.

ALTER TABLE vehicles ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, owner_id) REFERENCES users (city, id);

ALTER TABLE rides ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, rider_id) REFERENCES users (city, id);

ALTER TABLE rides ADD CONSTRAINT IF NOT EXISTS fk_vehicle_city_ref_vehicles
    FOREIGN KEY (vehicle_city, vehicle_id) REFERENCES vehicles (city, id);

-- At once, on several connections:

ANALYZE promo_codes;
ANALYZE rides;
ANALYZE user_promo_codes;
ANALYZE users;
ANALYZE vehicle_location_histories;
ANALYZE vehicles;
SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c' AND conrelid = 'promo_codes'::regclass;
SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c' AND conrelid = 'rides'::regclass;
SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c' AND conrelid = 'user_promo_codes'::regclass;
SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c' AND conrelid = 'users'::regclass;
SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c' AND conrelid = 'vehicle_location_histories'::regclass;
SELECT quote_ident(conname) FROM pg_constraint WHERE NOT convalidated AND contype = 'c' AND conrelid = 'vehicles'::regclass;
