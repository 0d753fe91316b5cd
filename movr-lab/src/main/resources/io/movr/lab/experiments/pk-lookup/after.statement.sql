SELECT rider_id, vehicle_id FROM rides WHERE city = :city AND id = :id
