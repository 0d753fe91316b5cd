INSERT INTO users VALUES (gen_random_uuid(), :city, :brian, :address, :credit_card) RETURNING id
