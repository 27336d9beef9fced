-- A work order from a request goes to the crew of the request's category.
ALTER TABLE request_category ADD COLUMN crew_id bigint;
ALTER TABLE request_category ADD FOREIGN KEY (company_id, crew_id) REFERENCES crew;
COMMENT ON COLUMN request_category.crew_id IS 'Crew that gets the work orders of this category. Null if staff choose one each time.';
