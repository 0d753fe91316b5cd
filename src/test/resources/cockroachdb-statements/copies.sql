SET allow_unsafe_internals = on;

SELECT quote_ident(tables.schema_name) || '.' || quote_ident(tables.name), tables.name,
    sum((span.stats->'total_stats'->>'live_bytes')::INT8)::INT8,
    coalesce(sum((span.stats->'total_stats'->>'live_bytes')::INT8)
        FILTER (WHERE indexes.index_type <> 'primary'), 0)::INT8
FROM crdb_internal.tables AS tables
JOIN crdb_internal.table_indexes AS indexes ON indexes.descriptor_id = tables.table_id,
LATERAL crdb_internal.tenant_span_stats(ARRAY[(
    crdb_internal.index_span(indexes.descriptor_id, indexes.index_id)[1],
    crdb_internal.index_span(indexes.descriptor_id, indexes.index_id)[2])]) AS span
WHERE tables.database_name = current_database() AND tables.drop_time IS NULL
GROUP BY tables.schema_name, tables.name;

SELECT true;

SELECT d.datname FROM pg_database d WHERE d.datname ~ '^movr_lab_[0-9a-f]{8}_' AND NOT EXISTS (SELECT 1 FROM [SHOW CLUSTER SESSIONS] a WHERE a.application_name = substr(d.datname, 1, 18)) AND pg_has_role(d.datdba, 'MEMBER') ORDER BY d.datname;

CREATE DATABASE "movr_lab_00000000_backup_0";

BACKUP DATABASE "movr" INTO 'userfile://movr_lab_00000000_backup_0.public.files/backup';

RESTORE DATABASE "movr" FROM LATEST IN 'userfile://movr_lab_00000000_backup_0.public.files/backup' WITH new_db_name = 'movr_lab_00000000_copy_0';

RESTORE DATABASE "movr" FROM LATEST IN 'userfile://movr_lab_00000000_backup_0.public.files/backup' WITH new_db_name = 'movr_lab_00000000_copy_1';

DROP DATABASE IF EXISTS "movr_lab_00000000_backup_0" CASCADE;

SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'crdb_internal', 'pg_extension') AND schemaname NOT LIKE 'pg_temp%' ORDER BY 1;

CREATE INDEX ON orders (customer_id);

SELECT extract(epoch FROM clock_timestamp());

BEGIN;

SELECT count(*) FROM [SHOW CLUSTER STATEMENTS] WHERE application_name <> 'movr-preflight' AND application_name NOT LIKE '$ internal%';

SELECT count(*) FROM [SHOW JOBS] WHERE status IN ('pending', 'running') AND job_type IN ('SCHEMA CHANGE', 'NEW SCHEMA CHANGE', 'BACKUP', 'RESTORE', 'IMPORT', 'CREATE STATS');

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'users';

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'vehicles';

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'rides';

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'vehicle_location_histories';

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'promo_codes';

SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'user_promo_codes';

SELECT current_setting(name) FROM pg_settings WHERE name = 'fsync';

SELECT current_setting(name) FROM pg_settings WHERE name = 'synchronous_commit';

SELECT current_setting(name) FROM pg_settings WHERE name = 'full_page_writes';

SELECT current_setting(name) FROM pg_settings WHERE name = 'shared_buffers';

SELECT current_setting(name) FROM pg_settings WHERE name = 'effective_cache_size';

SELECT current_setting(name) FROM pg_settings WHERE name = 'work_mem';

SELECT current_setting(name) FROM pg_settings WHERE name = 'maintenance_work_mem';

SELECT current_setting(name) FROM pg_settings WHERE name = 'random_page_cost';

SELECT current_setting(name) FROM pg_settings WHERE name = 'jit';

SELECT current_setting(name) FROM pg_settings WHERE name = 'max_parallel_workers_per_gather';

SELECT current_setting(name) FROM pg_settings WHERE name = 'max_wal_size';

SELECT current_setting(name) FROM pg_settings WHERE name = 'autovacuum';

SELECT current_setting(name) FROM pg_settings WHERE name = 'default_transaction_isolation';

SELECT current_setting(name) FROM pg_settings WHERE name = 'server_encoding';

EXPLAIN SELECT * FROM orders WHERE customer_id = 7;

EXPLAIN ANALYZE SELECT * FROM orders WHERE customer_id = 7;

ROLLBACK;

SELECT nspname, relation.relname, entry.relname, indisprimary, indpred IS NOT NULL
FROM pg_index
JOIN pg_class AS relation ON relation.oid = indrelid
JOIN pg_class AS entry ON entry.oid = indexrelid
JOIN pg_namespace ON pg_namespace.oid = relation.relnamespace
WHERE relation.relname = ANY ('{"orders"}');

SHOW TRANSACTION ISOLATION LEVEL;

SELECT * FROM orders WHERE customer_id = 7;

DROP DATABASE IF EXISTS "movr_lab_00000000_copy_0" CASCADE;

DROP DATABASE IF EXISTS "movr_lab_00000000_copy_1" CASCADE;
