-- Stage 1, baseline: the six tables of MovR, and the keys of requests that have been answered.
--
-- What it teaches: a primary key that begins with the city keeps a city's rows together, which is what later lets
--   them be placed in the city's region. The secondary indexes are those that the foreign keys of stage 2 need.
-- Speeds up: SELECT … FROM rides WHERE city = … AND id = …
-- Published: pk-lookup, all columns against two, 1.25 (tuning-en) and 2.09 (tuning-zh) times faster.
--
-- Names, types and column order are those of `cockroach workload init movr`, whose INSERTs are positional.

CREATE TABLE users (
    id UUID NOT NULL,
    city VARCHAR NOT NULL,
    name VARCHAR,
    address VARCHAR,
    credit_card VARCHAR,
    CONSTRAINT users_pkey PRIMARY KEY (city, id)
);

CREATE TABLE vehicles (
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
CREATE INDEX vehicles_auto_index_fk_city_ref_users ON vehicles (city, owner_id);

CREATE TABLE rides (
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
CREATE INDEX rides_auto_index_fk_city_ref_users ON rides (city, rider_id);
CREATE INDEX rides_auto_index_fk_vehicle_city_ref_vehicles ON rides (vehicle_city, vehicle_id);

CREATE TABLE vehicle_location_histories (
    city VARCHAR NOT NULL,
    ride_id UUID NOT NULL,
    "timestamp" TIMESTAMP NOT NULL,
    lat DOUBLE PRECISION,
    long DOUBLE PRECISION,
    CONSTRAINT vehicle_location_histories_pkey PRIMARY KEY (city, ride_id, "timestamp")
);

CREATE TABLE promo_codes (
    code VARCHAR NOT NULL,
    description VARCHAR,
    creation_time TIMESTAMP,
    expiration_time TIMESTAMP,
    rules JSONB,
    CONSTRAINT promo_codes_pkey PRIMARY KEY (code)
);

CREATE TABLE user_promo_codes (
    city VARCHAR NOT NULL,
    user_id UUID NOT NULL,
    code VARCHAR NOT NULL,
    "timestamp" TIMESTAMP,
    usage_count BIGINT,
    CONSTRAINT user_promo_codes_pkey PRIMARY KEY (city, user_id, code)
);

-- Not one of MovR's own. The service writes a row here in the transaction that a request asked for, so that the same
-- request, sent again, finds its answer instead of being done twice. It lies in the city of what it wrote.
CREATE TABLE idempotency_keys (
    city VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    operation VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    response VARCHAR NOT NULL,
    creation_time TIMESTAMP NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (city, key)
);
-- By which old ones are found without reading a city's whole day.
CREATE INDEX idempotency_keys_city_creation_time_idx ON idempotency_keys (city, creation_time);
