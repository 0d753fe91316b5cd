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
ALTER TABLE vehicle_location_histories ADD CONSTRAINT IF NOT EXISTS fk_city_ref_rides
    FOREIGN KEY (city, ride_id) REFERENCES rides (city, id);
ALTER TABLE user_promo_codes ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, user_id) REFERENCES users (city, id);

-- Stage 3, name-index: a secondary index on what a query filters by.
--
-- What it teaches: a filter on a column outside the primary key reads the whole table; an index on that column turns
--   the full scan into a look-up.
-- Speeds up: SELECT * FROM users WHERE name = 'Natalie Cunningham'
-- Published: name-index, 3.11 (tuning-en) and 3.00 (tuning-zh) times faster.

CREATE INDEX IF NOT EXISTS users_name_idx ON users (name);

-- Stage 4, covering-index: the index also carries the columns that the query returns.
--
-- What it teaches: an index that holds all that a query asks for spares the second look-up, into the table.
-- Speeds up: SELECT name, credit_card FROM users WHERE name = 'Natalie Cunningham'
-- Published: covering-index, 1.58 (tuning-en) and 1.58 (tuning-zh) times faster.

DROP INDEX IF EXISTS users@users_name_idx;
CREATE INDEX IF NOT EXISTS users_name_idx ON users (name) STORING (credit_card);

-- Stage 5, join-index: an index for the range that a join starts from, carrying the column that it joins by.
--
-- What it teaches: a join over one day need not read a month of rides, when an index finds that day and brings along
--   the riders.
-- Speeds up: SELECT count(DISTINCT users.id) FROM users INNER JOIN rides ON rides.rider_id = users.id
--   WHERE start_time BETWEEN '2018-07-20 00:00:00' AND '2018-07-21 00:00:00'
-- Published: join-index, 18.15 (tuning-en) and 15.04 (tuning-zh) times faster.

CREATE INDEX IF NOT EXISTS rides_start_time_idx ON rides (start_time) STORING (rider_id);

-- Stage 6, unused-index-dropped: the index of stage 4 goes.
--
-- What it teaches: every index is written with every row. One that no query needs is all cost.
-- Speeds up: UPDATE users SET name = … WHERE name LIKE 'C%'
-- Published: unused-index, 4.35 (tuning-en) and 5.08 (tuning-zh) times faster.

DROP INDEX IF EXISTS users@users_name_idx;

-- Stage 7, geo-partitioned: the rows of each city lie in its region; the index on rides (start_time) goes.
--
-- What it teaches: rows that lie where they are asked for are read and written without leaving the region.
--   An index that no city begins can be placed nowhere, and goes.
-- Speeds up: SELECT id, ext FROM vehicles WHERE city = … AND type = 'bike' AND status = 'in_use'
--   from the city's region, and every write there
-- Published: geo-read-new-york, 10.80 (tuning-en) and 12.86 (tuning-zh) times faster; geo-write-new-york,
--   8.04 and 9.73; geo-write-los-angeles, 9.28 and 8.87.

DROP INDEX IF EXISTS rides@rides_start_time_idx;
ALTER TABLE users PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER PARTITION us_east1 OF INDEX users@* CONFIGURE ZONE USING constraints = '[+region=us-east1]';
ALTER PARTITION us_west1 OF INDEX users@* CONFIGURE ZONE USING constraints = '[+region=us-west1]';
ALTER PARTITION asia_east1 OF INDEX users@* CONFIGURE ZONE USING constraints = '[+region=asia-east1]';
ALTER TABLE vehicles PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER INDEX vehicles@vehicles_auto_index_fk_city_ref_users PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER PARTITION us_east1 OF INDEX vehicles@* CONFIGURE ZONE USING constraints = '[+region=us-east1]';
ALTER PARTITION us_west1 OF INDEX vehicles@* CONFIGURE ZONE USING constraints = '[+region=us-west1]';
ALTER PARTITION asia_east1 OF INDEX vehicles@* CONFIGURE ZONE USING constraints = '[+region=asia-east1]';
ALTER TABLE rides PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER INDEX rides@rides_auto_index_fk_city_ref_users PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER INDEX rides@rides_auto_index_fk_vehicle_city_ref_vehicles PARTITION BY LIST (vehicle_city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER PARTITION us_east1 OF INDEX rides@* CONFIGURE ZONE USING constraints = '[+region=us-east1]';
ALTER PARTITION us_west1 OF INDEX rides@* CONFIGURE ZONE USING constraints = '[+region=us-west1]';
ALTER PARTITION asia_east1 OF INDEX rides@* CONFIGURE ZONE USING constraints = '[+region=asia-east1]';
ALTER TABLE vehicle_location_histories PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER PARTITION us_east1 OF INDEX vehicle_location_histories@* CONFIGURE ZONE USING constraints = '[+region=us-east1]';
ALTER PARTITION us_west1 OF INDEX vehicle_location_histories@* CONFIGURE ZONE USING constraints = '[+region=us-west1]';
ALTER PARTITION asia_east1 OF INDEX vehicle_location_histories@* CONFIGURE ZONE USING constraints = '[+region=asia-east1]';
ALTER TABLE user_promo_codes PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER PARTITION us_east1 OF INDEX user_promo_codes@* CONFIGURE ZONE USING constraints = '[+region=us-east1]';
ALTER PARTITION us_west1 OF INDEX user_promo_codes@* CONFIGURE ZONE USING constraints = '[+region=us-west1]';
ALTER PARTITION asia_east1 OF INDEX user_promo_codes@* CONFIGURE ZONE USING constraints = '[+region=asia-east1]';
ALTER TABLE idempotency_keys PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER INDEX idempotency_keys@idempotency_keys_city_creation_time_idx PARTITION BY LIST (city) (PARTITION us_east1 VALUES IN ('new york'), PARTITION us_west1 VALUES IN ('seattle'), PARTITION asia_east1 VALUES IN ('tokyo', 'osaka'));
ALTER PARTITION us_east1 OF INDEX idempotency_keys@* CONFIGURE ZONE USING constraints = '[+region=us-east1]';
ALTER PARTITION us_west1 OF INDEX idempotency_keys@* CONFIGURE ZONE USING constraints = '[+region=us-west1]';
ALTER PARTITION asia_east1 OF INDEX idempotency_keys@* CONFIGURE ZONE USING constraints = '[+region=asia-east1]';

-- Stage 8, database-regions: the database knows its regions.
--
-- What it teaches: a database that knows its regions places its tables by itself.
-- Speeds up: nothing; the next two stages need it.
-- Published: no ratio.

-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE users] WHERE index_name = 'users@users_pkey'
ALTER TABLE users PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE vehicles] WHERE index_name = 'vehicles@vehicles_auto_index_fk_city_ref_users'
ALTER INDEX vehicles@vehicles_auto_index_fk_city_ref_users PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE vehicles] WHERE index_name = 'vehicles@vehicles_pkey'
ALTER TABLE vehicles PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE rides] WHERE index_name = 'rides@rides_auto_index_fk_city_ref_users'
ALTER INDEX rides@rides_auto_index_fk_city_ref_users PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE rides] WHERE index_name = 'rides@rides_auto_index_fk_vehicle_city_ref_vehicles'
ALTER INDEX rides@rides_auto_index_fk_vehicle_city_ref_vehicles PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE rides] WHERE index_name = 'rides@rides_pkey'
ALTER TABLE rides PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE vehicle_location_histories] WHERE index_name = 'vehicle_location_histories@vehicle_location_histories_pkey'
ALTER TABLE vehicle_location_histories PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE user_promo_codes] WHERE index_name = 'user_promo_codes@user_promo_codes_pkey'
ALTER TABLE user_promo_codes PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE idempotency_keys] WHERE index_name = 'idempotency_keys@idempotency_keys_city_creation_time_idx'
ALTER INDEX idempotency_keys@idempotency_keys_city_creation_time_idx PARTITION BY NOTHING;
-- only if: SELECT 1 FROM [SHOW PARTITIONS FROM TABLE idempotency_keys] WHERE index_name = 'idempotency_keys@idempotency_keys_pkey'
ALTER TABLE idempotency_keys PARTITION BY NOTHING;
ALTER DATABASE movr SET PRIMARY REGION "us-east1";
ALTER DATABASE movr ADD REGION IF NOT EXISTS "us-west1";
ALTER DATABASE movr ADD REGION IF NOT EXISTS "asia-east1";

-- Stage 9, global-promo-codes: promo codes are read in every region without leaving it; a foreign key leads to them.
--
-- What it teaches: what is read everywhere and hardly written can be near everywhere, and its writes pay.
-- Speeds up: SELECT … FROM promo_codes WHERE code = … away from the primary region
-- Published: together with regional-by-row, multi-region-qps 1.89 and multi-region-p99 1.38 times better.

ALTER TABLE promo_codes SET (schema_locked = false);
ALTER TABLE promo_codes SET LOCALITY GLOBAL;
ALTER TABLE promo_codes RESET (schema_locked);
ALTER TABLE user_promo_codes ADD CONSTRAINT IF NOT EXISTS fk_code_ref_promo_codes FOREIGN KEY (code) REFERENCES promo_codes (code) ON UPDATE CASCADE;

-- Stage 10, regional-by-row: every row has a region, that of its city, and is placed there.
--
-- What it teaches: a row has its home region in a column; with the region computed from the city, keys stay
--   unique without asking other regions.
-- Speeds up: every statement on rows of the gateway's own region
-- Published: together with global-promo-codes, multi-region-qps 1.89 and multi-region-p99 1.38 times better.

SELECT set_config(variable, 'off', false) FROM [SHOW ALL] WHERE variable = 'use_declarative_schema_changer';
SELECT set_config(variable, 'off', false) FROM [SHOW ALL] WHERE variable = 'autocommit_before_ddl';
ALTER TABLE users SET (schema_locked = false);
ALTER TABLE vehicles SET (schema_locked = false);
ALTER TABLE rides SET (schema_locked = false);
ALTER TABLE vehicle_location_histories SET (schema_locked = false);
ALTER TABLE user_promo_codes SET (schema_locked = false);
ALTER TABLE idempotency_keys SET (schema_locked = false);
BEGIN;
ALTER TABLE users ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE WHEN city IN ('new york') THEN 'us-east1'::crdb_internal_region WHEN city IN ('seattle') THEN 'us-west1'::crdb_internal_region WHEN city IN ('tokyo', 'osaka') THEN 'asia-east1'::crdb_internal_region ELSE 'us-east1'::crdb_internal_region END) STORED;
ALTER TABLE vehicles ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE WHEN city IN ('new york') THEN 'us-east1'::crdb_internal_region WHEN city IN ('seattle') THEN 'us-west1'::crdb_internal_region WHEN city IN ('tokyo', 'osaka') THEN 'asia-east1'::crdb_internal_region ELSE 'us-east1'::crdb_internal_region END) STORED;
ALTER TABLE rides ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE WHEN city IN ('new york') THEN 'us-east1'::crdb_internal_region WHEN city IN ('seattle') THEN 'us-west1'::crdb_internal_region WHEN city IN ('tokyo', 'osaka') THEN 'asia-east1'::crdb_internal_region ELSE 'us-east1'::crdb_internal_region END) STORED;
ALTER TABLE vehicle_location_histories ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE WHEN city IN ('new york') THEN 'us-east1'::crdb_internal_region WHEN city IN ('seattle') THEN 'us-west1'::crdb_internal_region WHEN city IN ('tokyo', 'osaka') THEN 'asia-east1'::crdb_internal_region ELSE 'us-east1'::crdb_internal_region END) STORED;
ALTER TABLE user_promo_codes ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE WHEN city IN ('new york') THEN 'us-east1'::crdb_internal_region WHEN city IN ('seattle') THEN 'us-west1'::crdb_internal_region WHEN city IN ('tokyo', 'osaka') THEN 'asia-east1'::crdb_internal_region ELSE 'us-east1'::crdb_internal_region END) STORED;
ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS region crdb_internal_region NOT NULL AS (CASE WHEN city IN ('new york') THEN 'us-east1'::crdb_internal_region WHEN city IN ('seattle') THEN 'us-west1'::crdb_internal_region WHEN city IN ('tokyo', 'osaka') THEN 'asia-east1'::crdb_internal_region ELSE 'us-east1'::crdb_internal_region END) STORED;
COMMIT;
BEGIN;
ALTER TABLE users SET LOCALITY REGIONAL BY ROW AS region;
ALTER TABLE vehicles SET LOCALITY REGIONAL BY ROW AS region;
ALTER TABLE user_promo_codes SET LOCALITY REGIONAL BY ROW AS region;
ALTER TABLE idempotency_keys SET LOCALITY REGIONAL BY ROW AS region;
COMMIT;
ALTER TABLE rides SET LOCALITY REGIONAL BY ROW AS region;
ALTER TABLE vehicle_location_histories SET LOCALITY REGIONAL BY ROW AS region;
ALTER TABLE users RESET (schema_locked);
ALTER TABLE vehicles RESET (schema_locked);
ALTER TABLE rides RESET (schema_locked);
ALTER TABLE vehicle_location_histories RESET (schema_locked);
ALTER TABLE user_promo_codes RESET (schema_locked);
ALTER TABLE idempotency_keys RESET (schema_locked);

-- Stage 11, region-survival: a whole region may fail.
--
-- What it teaches: what a whole region may cost: every write waits for a second one.
-- Speeds up: nothing.
-- Published: no ratio.

ALTER DATABASE movr SURVIVE REGION FAILURE;

