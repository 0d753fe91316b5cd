SHOW RANGES FROM DATABASE "movr" WITH INDEXES, KEYS, DETAILS;

SELECT table_name, column_name, crdb_sql_type FROM information_schema.columns WHERE table_schema = 'public' AND table_name IN ('users', 'vehicles', 'rides', 'vehicle_location_histories', 'user_promo_codes', 'idempotency_keys');

SELECT table_name, index_name, column_name FROM information_schema.statistics WHERE table_schema = 'public' AND table_name IN ('users', 'vehicles', 'rides', 'vehicle_location_histories', 'user_promo_codes', 'idempotency_keys') AND storing = 'NO' ORDER BY table_name, index_name, seq_in_index;

SELECT region FROM [SHOW REGIONS FROM DATABASE];

SELECT DISTINCT index_name FROM [SHOW PARTITIONS FROM DATABASE "movr"];

SELECT crdb_internal.encode_key(106, 1, ('us-east1'::PUBLIC.CRDB_INTERNAL_REGION, ''::VARCHAR, '00000000-0000-0000-0000-000000000000'::UUID)), crdb_internal.encode_key(106, 1, ('us-east1'::PUBLIC.CRDB_INTERNAL_REGION, e'\U0010FFFF'::VARCHAR, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID)), crdb_internal.encode_key(106, 1, ('us-west1'::PUBLIC.CRDB_INTERNAL_REGION, ''::VARCHAR, '00000000-0000-0000-0000-000000000000'::UUID)), crdb_internal.encode_key(106, 1, ('us-west1'::PUBLIC.CRDB_INTERNAL_REGION, e'\U0010FFFF'::VARCHAR, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID)), crdb_internal.encode_key(106, 1, ('europe-west1'::PUBLIC.CRDB_INTERNAL_REGION, ''::VARCHAR, '00000000-0000-0000-0000-000000000000'::UUID)), crdb_internal.encode_key(106, 1, ('europe-west1'::PUBLIC.CRDB_INTERNAL_REGION, e'\U0010FFFF'::VARCHAR, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID));
