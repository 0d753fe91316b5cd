SELECT * FROM rides WHERE city = :city AND id = :id
