SELECT * FROM users WHERE name = :name
