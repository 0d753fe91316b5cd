INSERT INTO users VALUES (gen_random_uuid(), :city, :name, :address, :credit_card)
