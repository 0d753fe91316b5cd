INSERT INTO events (id, device_id, kind, happened_at)
VALUES (:id, :device, 'kind ' || :kind::text, TIMESTAMP '2026-02-01 12:00:00')
