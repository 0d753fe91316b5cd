-- Stage 2, foreign-keys: every reference names the city too.
--
-- What it teaches: a foreign key that carries the city is checked among the rows of that city alone, and so never has
--   to leave the city's region. Rows are loaded before it: checking them all at once costs less than one by one.
-- Speeds up: nothing; it is what the later stages must keep true.
-- Published: no ratio.

ALTER TABLE vehicles ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, owner_id) REFERENCES users (city, id);
ALTER TABLE rides ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, rider_id) REFERENCES users (city, id);
ALTER TABLE rides ADD CONSTRAINT IF NOT EXISTS fk_vehicle_city_ref_vehicles
    FOREIGN KEY (vehicle_city, vehicle_id) REFERENCES vehicles (city, id);
ALTER TABLE vehicle_location_histories ADD CONSTRAINT IF NOT EXISTS fk_city_ref_rides
    FOREIGN KEY (city, ride_id) REFERENCES rides (city, id);
ALTER TABLE user_promo_codes ADD CONSTRAINT IF NOT EXISTS fk_city_ref_users
    FOREIGN KEY (city, user_id) REFERENCES users (city, id);
