-- Closed requests by the municipality's day and by the month in which they came. The Communication Report adds up months and the
-- days at the edges of its range instead of requests. The transaction that closes or reopens a request counts it; `npm run verify`
-- proves the sums. Open requests, spam and merged requests are few: the report counts them from indexes.
CREATE TABLE request_sum (
  company_id int NOT NULL REFERENCES company,
  span text NOT NULL CHECK (span IN ('day', 'month')),
  since date NOT NULL,
  category_id bigint NOT NULL,
  status int NOT NULL CHECK (status IN (2, 4, 5)),
  requests bigint NOT NULL,
  late bigint NOT NULL,
  PRIMARY KEY (company_id, span, since, category_id, status)
) WITH (fillfactor = 70);
COMMENT ON COLUMN request_sum.since IS 'the day, or the first day of the month';
COMMENT ON COLUMN request_sum.late IS 'closed after their target';
GRANT SELECT, INSERT, UPDATE, DELETE ON request_sum TO mainstreet_app, mainstreet_platform;

-- The sums as the requests have them.
CREATE VIEW closed_request_sum WITH (security_invoker = true) AS
SELECT r.company_id, s.span, s.since, r.category_id, r.status, count(*) AS requests, count(*) FILTER (WHERE r.due_at < r.closed_at) AS late
FROM service_request r
JOIN company c ON c.id = r.company_id JOIN timezone z ON z.id = c.timezone_id
CROSS JOIN LATERAL (SELECT (r.created_at AT TIME ZONE z.zone)::date AS day) d
CROSS JOIN LATERAL (VALUES ('day', d.day), ('month', date_trunc('month', d.day)::date)) s (span, since)
WHERE r.status IN (2, 4, 5) AND NOT r.is_spam AND r.merged_into IS NULL
GROUP BY r.company_id, s.span, s.since, r.category_id, r.status;
GRANT SELECT ON closed_request_sum TO mainstreet_app, mainstreet_platform;

-- Counts all closed requests again: after a change of the time zone, or after rows that were written together.
CREATE FUNCTION recount_requests(company int) RETURNS void LANGUAGE sql AS $$
  DELETE FROM request_sum WHERE company_id = company;
  INSERT INTO request_sum SELECT * FROM closed_request_sum WHERE company_id = company;
$$;

-- The open requests of any days, categories and targets without a look at their rows.
DROP INDEX service_request_open;
CREATE INDEX service_request_open ON service_request (company_id, created_at, id)
  INCLUDE (status, category_id, due_at, is_spam, merged_into) WHERE status IN (0, 1, 3);

-- Row-level security binds the owner too, who lifts it for this transaction.
ALTER TABLE service_request NO FORCE ROW LEVEL SECURITY;
SELECT recount_requests(id) FROM company;
ALTER TABLE service_request FORCE ROW LEVEL SECURITY;
