SELECT version, script, checksum, success FROM flyway_schema_history WHERE version IS NOT NULL ORDER BY installed_rank;

SELECT description, fraction_completed FROM [SHOW JOBS] WHERE status IN ('pending', 'running', 'reverting') AND job_type IN ('SCHEMA CHANGE', 'NEW SCHEMA CHANGE') LIMIT 1;

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'flyway_schema_history';

SELECT current_schema() = 'public' AND NOT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'public');

CREATE TABLE IF NOT EXISTS flyway_schema_history (
    installed_rank INT NOT NULL PRIMARY KEY,
    version VARCHAR(50),
    description VARCHAR(200) NOT NULL,
    type VARCHAR(20) NOT NULL,
    script VARCHAR(1000) NOT NULL,
    checksum INTEGER,
    installed_by VARCHAR(100) NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT now(),
    execution_time INTEGER NOT NULL,
    success BOOLEAN NOT NULL,
    INDEX flyway_schema_history_s_idx (success)
);

SELECT table_name FROM [SHOW TABLES] WHERE table_name IN ('users', 'vehicles', 'rides', 'vehicle_location_histories', 'user_promo_codes', 'idempotency_keys', 'promo_codes');

SELECT set_config(variable, 'off', false) FROM [SHOW ALL] WHERE variable = 'autocommit_before_ddl';

BEGIN;

-- Stage 1, baseline: the six tables of MovR, and the keys of requests that have been answered.
--
-- What it teaches: a primary key that begins with the city keeps a city's rows together, which is what later lets
--   them be placed in the city's region. The secondary indexes are those that the foreign keys of stage 2 need.
-- Speeds up: SELECT … FROM rides WHERE city = … AND id = …
-- Published: pk-lookup, all columns against two, 1.25 (tuning-en) and 2.09 (tuning-zh) times faster.
--
-- Names, types and column order are those of `cockroach workload init movr`, whose INSERTs are positional.
-- A script runs outside a transaction here: each statement may meet its own result of a run that failed half-way.

CREATE TABLE IF NOT EXISTS users (
    id UUID NOT NULL,
    city VARCHAR NOT NULL,
    name VARCHAR,
    address VARCHAR,
    credit_card VARCHAR,
    CONSTRAINT users_pkey PRIMARY KEY (city, id)
);



CREATE TABLE IF NOT EXISTS vehicles (
    id UUID NOT NULL,
    city VARCHAR NOT NULL,
    type VARCHAR,
    owner_id UUID,
    creation_time TIMESTAMP,
    status VARCHAR,
    current_location VARCHAR,
    ext JSONB,
    CONSTRAINT vehicles_pkey PRIMARY KEY (city, id)
);


CREATE INDEX IF NOT EXISTS vehicles_auto_index_fk_city_ref_users ON vehicles (city, owner_id);



CREATE TABLE IF NOT EXISTS rides (
    id UUID NOT NULL,
    city VARCHAR NOT NULL,
    vehicle_city VARCHAR,
    rider_id UUID,
    vehicle_id UUID,
    start_address VARCHAR,
    end_address VARCHAR,
    start_time TIMESTAMP,
    end_time TIMESTAMP,
    revenue DECIMAL(10, 2),
    CONSTRAINT rides_pkey PRIMARY KEY (city, id),
    CONSTRAINT check_vehicle_city_city CHECK (vehicle_city = city)
);


CREATE INDEX IF NOT EXISTS rides_auto_index_fk_city_ref_users ON rides (city, rider_id);


CREATE INDEX IF NOT EXISTS rides_auto_index_fk_vehicle_city_ref_vehicles ON rides (vehicle_city, vehicle_id);



CREATE TABLE IF NOT EXISTS vehicle_location_histories (
    city VARCHAR NOT NULL,
    ride_id UUID NOT NULL,
    "timestamp" TIMESTAMP NOT NULL,
    lat DOUBLE PRECISION,
    long DOUBLE PRECISION,
    CONSTRAINT vehicle_location_histories_pkey PRIMARY KEY (city, ride_id, "timestamp")
);



CREATE TABLE IF NOT EXISTS promo_codes (
    code VARCHAR NOT NULL,
    description VARCHAR,
    creation_time TIMESTAMP,
    expiration_time TIMESTAMP,
    rules JSONB,
    CONSTRAINT promo_codes_pkey PRIMARY KEY (code)
);



CREATE TABLE IF NOT EXISTS user_promo_codes (
    city VARCHAR NOT NULL,
    user_id UUID NOT NULL,
    code VARCHAR NOT NULL,
    "timestamp" TIMESTAMP,
    usage_count BIGINT,
    CONSTRAINT user_promo_codes_pkey PRIMARY KEY (city, user_id, code)
);



-- Not one of MovR's own. The service writes a row here in the transaction that a request asked for, so that the same
-- request, sent again, finds its answer instead of being done twice. It lies in the city of what it wrote.
CREATE TABLE IF NOT EXISTS idempotency_keys (
    city VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    operation VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    response VARCHAR NOT NULL,
    creation_time TIMESTAMP NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (city, key)
);


-- By which old ones are found without reading a city's whole day.
CREATE INDEX IF NOT EXISTS idempotency_keys_city_creation_time_idx ON idempotency_keys (city, creation_time);

COMMIT;

CREATE TABLE IF NOT EXISTS vehicles (
    id UUID NOT NULL,
    city VARCHAR NOT NULL,
    type VARCHAR,
    owner_id UUID,
    creation_time TIMESTAMP,
    status VARCHAR,
    current_location VARCHAR,
    ext JSONB,
    CONSTRAINT vehicles_pkey PRIMARY KEY (city, id)
);

CREATE INDEX IF NOT EXISTS vehicles_auto_index_fk_city_ref_users ON vehicles (city, owner_id);

CREATE TABLE IF NOT EXISTS rides (
    id UUID NOT NULL,
    city VARCHAR NOT NULL,
    vehicle_city VARCHAR,
    rider_id UUID,
    vehicle_id UUID,
    start_address VARCHAR,
    end_address VARCHAR,
    start_time TIMESTAMP,
    end_time TIMESTAMP,
    revenue DECIMAL(10, 2),
    CONSTRAINT rides_pkey PRIMARY KEY (city, id),
    CONSTRAINT check_vehicle_city_city CHECK (vehicle_city = city)
);

CREATE INDEX IF NOT EXISTS rides_auto_index_fk_city_ref_users ON rides (city, rider_id);

CREATE INDEX IF NOT EXISTS rides_auto_index_fk_vehicle_city_ref_vehicles ON rides (vehicle_city, vehicle_id);

CREATE TABLE IF NOT EXISTS vehicle_location_histories (
    city VARCHAR NOT NULL,
    ride_id UUID NOT NULL,
    "timestamp" TIMESTAMP NOT NULL,
    lat DOUBLE PRECISION,
    long DOUBLE PRECISION,
    CONSTRAINT vehicle_location_histories_pkey PRIMARY KEY (city, ride_id, "timestamp")
);

CREATE TABLE IF NOT EXISTS promo_codes (
    code VARCHAR NOT NULL,
    description VARCHAR,
    creation_time TIMESTAMP,
    expiration_time TIMESTAMP,
    rules JSONB,
    CONSTRAINT promo_codes_pkey PRIMARY KEY (code)
);

CREATE TABLE IF NOT EXISTS user_promo_codes (
    city VARCHAR NOT NULL,
    user_id UUID NOT NULL,
    code VARCHAR NOT NULL,
    "timestamp" TIMESTAMP,
    usage_count BIGINT,
    CONSTRAINT user_promo_codes_pkey PRIMARY KEY (city, user_id, code)
);

-- Not one of MovR's own. The service writes a row here in the transaction that a request asked for, so that the same
-- request, sent again, finds its answer instead of being done twice. It lies in the city of what it wrote.
CREATE TABLE IF NOT EXISTS idempotency_keys (
    city VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    operation VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    response VARCHAR NOT NULL,
    creation_time TIMESTAMP NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (city, key)
);

-- By which old ones are found without reading a city's whole day.
CREATE INDEX IF NOT EXISTS idempotency_keys_city_creation_time_idx ON idempotency_keys (city, creation_time);

SELECT EXISTS (SELECT 1 FROM [SHOW CLUSTER SESSIONS] WHERE application_name = 'movr-load');

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

SELECT EXISTS (SELECT 1 FROM movr_loads WHERE state <> 'complete');

SELECT EXISTS (SELECT 1 FROM users);

SELECT EXISTS (SELECT 1 FROM vehicles);

SELECT EXISTS (SELECT 1 FROM rides);

SELECT EXISTS (SELECT 1 FROM vehicle_location_histories);

SELECT EXISTS (SELECT 1 FROM promo_codes);

SELECT EXISTS (SELECT 1 FROM user_promo_codes);

INSERT INTO movr_loads (seed, state, loaded_rows) VALUES ('1', 'loading 5391f9e2', '22400');

SELECT chunk FROM movr_load_chunks WHERE seed = '1';

SET statement_timeout = '2s';

SELECT convert_from(crdb_internal.read_file('http://127.0.0.1:PORT/FOLDER/try'), 'UTF8');

RESET statement_timeout;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('-3', '-3');

IMPORT INTO rides ("id", "city", "vehicle_city", "rider_id", "vehicle_id", "start_address", "end_address", "start_time", "end_time", "revenue") DELIMITED DATA ('http://127.0.0.1:PORT/FOLDER/rides/0/20000') WITH fields_escaped_by = '\';

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('2', '5');

COPY users ("id", "city", "name", "address", "credit_card") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('0', '0');

COPY vehicles ("id", "city", "type", "owner_id", "creation_time", "status", "current_location", "ext") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('1', '1');

COPY vehicle_location_histories ("city", "ride_id", "timestamp", "lat", "long") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('6', '6');

COPY promo_codes ("code", "description", "creation_time", "expiration_time", "rules") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('7', '7');

COPY user_promo_codes ("city", "user_id", "code", "timestamp", "usage_count") FROM STDIN;

INSERT INTO movr_load_chunks (seed, chunk) SELECT '1', generate_series('8', '8');

DELETE FROM movr_load_chunks WHERE seed = 1;

DELETE FROM movr_loads WHERE state <> 'complete';

INSERT INTO movr_loads (seed, state, loaded_rows) VALUES ('1', 'complete', '22400');

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
