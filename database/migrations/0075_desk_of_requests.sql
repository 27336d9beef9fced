-- The desk of requests (features/service-requests): one request becomes two, and a merge or a mark of spam is taken back.

ALTER TABLE service_request
  ADD COLUMN split_from bigint,
  ADD CHECK (split_from <> id),
  ADD FOREIGN KEY (company_id, split_from) REFERENCES service_request;
COMMENT ON COLUMN service_request.split_from IS 'the request that held this matter too, until somebody made two of it';
CREATE INDEX service_request_split ON service_request (company_id, split_from) WHERE split_from IS NOT NULL;
CREATE INDEX service_request_by_due ON service_request (company_id, due_at, id);
CREATE INDEX service_request_spam ON service_request (company_id, created_at, id) WHERE is_spam;
CREATE INDEX service_request_merged_by_time ON service_request (company_id, created_at, id) WHERE merged_into IS NOT NULL;
SELECT make_found_view('service_request');

ALTER TABLE request_follower
  ADD COLUMN came_from bigint,
  ADD FOREIGN KEY (company_id, came_from) REFERENCES service_request;
COMMENT ON COLUMN request_follower.came_from IS 'the request with which they came when it was merged into this one; they leave with it';

-- What was merged or taken for spam by mistake is open again.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('service_request', '4', '3', 'separate'),
  ('service_request', '4', '3', 'not_spam');
