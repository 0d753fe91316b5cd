SELECT true;

SELECT d.datname FROM pg_database d WHERE d.datname ~ … AND NOT EXISTS (SELECT … FROM [SHOW CLUSTER SESSIONS] a WHERE a.application_name = substr(d.datname, …, …)) AND pg_has_role(d.datdba, …) ORDER BY d.datname;

CREATE DATABASE "movr_lab_00000000_check";

SELECT current_setting(name) FROM pg_settings WHERE name = …;

SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;

BEGIN;

SHOW transaction_isolation;

DROP TABLE IF EXISTS movr_check_lists;

CREATE TABLE movr_check_lists (id INT8 PRIMARY KEY, elements INT8[] NOT NULL);

SET TRANSACTION ISOLATION LEVEL READ COMMITTED;

 SHOW transaction_isolation;

INSERT INTO movr_check_lists AS list (id, elements) VALUES (…, ARRAY[…::INT8]) ON CONFLICT (id) DO UPDATE SET elements = array_append(list.elements, excluded.elements[…]);

COMMIT;

SELECT elements FROM movr_check_lists WHERE id = …;

SELECT id, elements FROM movr_check_lists WHERE id >= …;

SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ;

SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;

SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE;

SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;

DROP DATABASE IF EXISTS "movr_lab_00000000_check" CASCADE;
