CREATE INDEX events_device_idx ON events (device_id);
CREATE INDEX events_kind_idx ON events (kind);
CREATE INDEX events_happened_at_idx ON events (happened_at);
