SELECT vehicle_id FROM rides GROUP BY vehicle_id ORDER BY count(*) DESC LIMIT 5;
SELECT vehicle_id, max(end_time) FROM rides WHERE vehicle_id IN (:one, :two, :three, :four, :five) GROUP BY vehicle_id;
