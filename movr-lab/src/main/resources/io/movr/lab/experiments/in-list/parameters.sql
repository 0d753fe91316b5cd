-- What the first statement of the side after answers.
SELECT used[1] AS one, used[2] AS two, used[3] AS three, used[4] AS four, used[5] AS five
FROM (SELECT array_agg(vehicle_id) AS used
      FROM (SELECT vehicle_id FROM rides GROUP BY vehicle_id ORDER BY count(*) DESC LIMIT 5) AS vehicles) AS five_most_used
