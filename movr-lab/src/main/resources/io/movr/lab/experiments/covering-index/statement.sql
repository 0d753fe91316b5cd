SELECT name, credit_card FROM users WHERE name = :name
