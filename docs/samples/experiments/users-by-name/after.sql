CREATE INDEX users_name_idx ON users (name);
