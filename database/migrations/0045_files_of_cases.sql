-- Where a photo was taken, in degrees, where the person agreed that it is kept. The file itself never holds it.
ALTER TABLE attachment
  ADD COLUMN taken_lat double precision CHECK (taken_lat BETWEEN -90 AND 90),
  ADD COLUMN taken_lon double precision CHECK (taken_lon BETWEEN -180 AND 180),
  ADD CHECK ((taken_lat IS NULL) = (taken_lon IS NULL));

-- A guest downloads a file of a conversation by the mailed link: the ticket is nobody's, and the link is asked once more.
ALTER TABLE download_ticket
  DROP CONSTRAINT download_ticket_person_kind_check,
  ADD CHECK (person_kind IN ('guest', 'citizen', 'municipality', 'platform'));
COMMENT ON COLUMN download_ticket.person_id IS '0: a guest';
