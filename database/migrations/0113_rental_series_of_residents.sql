-- Residents ask for several dates at once, within what a resource allows (features/rentals).

ALTER TABLE rental_resource
  ADD COLUMN series_dates int NOT NULL DEFAULT 0 CHECK (series_dates BETWEEN 0 AND 20),
  ADD COLUMN series_approval boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN rental_resource.series_dates IS 'so many dates one resident asks for at once; 0: only the office books series';
COMMENT ON COLUMN rental_resource.series_approval IS 'the office approves series of residents, also where it does not approve single dates';

-- Who asked for it; none where the office booked it, or a draw gave it.
ALTER TABLE rental_series
  ADD COLUMN person_id bigint,
  ADD FOREIGN KEY (company_id, person_id) REFERENCES person (company_id, id);
