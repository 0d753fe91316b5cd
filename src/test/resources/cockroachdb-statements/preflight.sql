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

SELECT version, script, checksum, success FROM flyway_schema_history WHERE version IS NOT NULL ORDER BY installed_rank;
