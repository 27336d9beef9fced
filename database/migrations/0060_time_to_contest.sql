-- A ticket can be contested until a day that is written with it, and on paper as well as by the portal.

ALTER TABLE parking_settings
  ADD COLUMN contest_days int NOT NULL DEFAULT 21 CHECK (contest_days BETWEEN 1 AND 365),
  ADD COLUMN notice_renews_contest boolean NOT NULL DEFAULT false;
ALTER TABLE parking_settings ALTER COLUMN contest_days DROP DEFAULT, ALTER COLUMN notice_renews_contest DROP DEFAULT;
COMMENT ON COLUMN parking_settings.contest_days IS 'so many days there are to contest a ticket';
COMMENT ON COLUMN parking_settings.notice_renews_contest IS 'these days begin anew with each notice that is mailed';

ALTER TABLE parking_ticket ADD COLUMN contest_until date;
ALTER TABLE parking_ticket NO FORCE ROW LEVEL SECURITY;
UPDATE parking_ticket t SET contest_until = (t.issued_at AT TIME ZONE z.zone)::date + 21
FROM company c JOIN timezone z ON z.id = c.timezone_id WHERE c.id = t.company_id;
ALTER TABLE parking_ticket FORCE ROW LEVEL SECURITY;
ALTER TABLE parking_ticket ALTER COLUMN contest_until SET NOT NULL;
COMMENT ON COLUMN parking_ticket.contest_until IS 'the last day on which it can be contested';
SELECT make_found_view('parking_ticket');

-- What comes on paper may have no email, and the answer goes to an address or is told by phone.
ALTER TABLE parking_contest
  ADD COLUMN address text NOT NULL DEFAULT '',
  ADD COLUMN received_on date;
COMMENT ON COLUMN parking_contest.address IS 'where the answer goes by post; empty of a contest that came by the portal';
COMMENT ON COLUMN parking_contest.received_on IS 'the day on which it came on paper; null of one that came by the portal';
