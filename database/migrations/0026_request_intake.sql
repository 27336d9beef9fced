-- Staff enter requests that arrive by phone, at the counter or by letter.
ALTER TABLE service_request DROP CONSTRAINT service_request_came_by_check;
ALTER TABLE service_request ADD CONSTRAINT service_request_came_by_check
  CHECK (came_by IN ('portal', 'phone', 'counter', 'letter', 'staff', 'open311', 'import'));
COMMENT ON COLUMN service_request.came_by IS 'Source of the request. staff: split from another request.';

-- A requester without an email address does not see the answer, so staff must call.
ALTER TABLE service_request ADD COLUMN call_back_since timestamptz(3);
COMMENT ON COLUMN service_request.call_back_since IS 'Time of the answer for which staff must call the requester. Null if no call is due.';
CREATE INDEX service_request_call_back ON service_request (company_id, created_at, id) WHERE call_back_since IS NOT NULL;
SELECT make_found_view('service_request');

-- Staff find a resident by the phone number of a call.
CREATE INDEX person_resident_by_phone ON person (company_id, mobile_no) WHERE role_id = 1 AND mobile_no <> '';
