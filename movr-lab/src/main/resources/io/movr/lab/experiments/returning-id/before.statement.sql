INSERT INTO users VALUES (gen_random_uuid(), :city, :toni, :address, :credit_card);
SELECT id FROM users WHERE name = :toni;
