UPDATE users SET name = 'Carl Kimball' WHERE name LIKE 'C%'
