SELECT * FROM crdb_internal.statement_statistics LIMIT 0;

SELECT sum(cnt)::INT, sum(cnt * seconds) * 1000, sum(cnt * rows), query FROM (
    SELECT metadata ->> 'query' AS query,
           (statistics -> 'statistics' ->> 'cnt')::FLOAT AS cnt,
           (statistics -> 'statistics' -> 'svcLat' ->> 'mean')::FLOAT AS seconds,
           (statistics -> 'statistics' -> 'numRows' ->> 'mean')::FLOAT AS rows
    FROM crdb_internal.statement_statistics
    WHERE metadata ->> 'db' = current_database() AND metadata ->> 'stmtType' = 'TypeDML'
      AND metadata ->> 'query' ~* '^[\s(]*(select|with|values|table|insert|update|upsert|delete)\s'
      AND metadata ->> 'query' !~* '(^|[^a-z_])(pg_[a-z_]+|information_schema|crdb_internal)([^a-z_]|$)'
      AND app_name NOT LIKE '$ internal%' AND app_name NOT LIKE 'movr-lab%') AS each
GROUP BY query ORDER BY 2 DESC LIMIT '20';
