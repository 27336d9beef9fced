-- Requests and work orders from another system keep their old number and state.
ALTER TABLE service_request ADD COLUMN old_number text NOT NULL DEFAULT '';
COMMENT ON COLUMN service_request.old_number IS 'Number in the system that the request was imported from. Empty for other requests.';
CREATE UNIQUE INDEX service_request_old_number_once ON service_request (company_id, old_number) WHERE old_number <> '';
ALTER TABLE service_request DROP CONSTRAINT service_request_came_by_check;
ALTER TABLE service_request ADD CONSTRAINT service_request_came_by_check CHECK (came_by IN ('portal', 'staff', 'open311', 'import'));
SELECT make_found_view('service_request');

ALTER TABLE work_order ADD COLUMN old_number text NOT NULL DEFAULT '';
COMMENT ON COLUMN work_order.old_number IS 'Number in the system that the work order was imported from. Empty for other work orders.';
CREATE UNIQUE INDEX work_order_old_number_once ON work_order (company_id, old_number) WHERE old_number <> '';
SELECT make_found_view('work_order');

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('service_request', '', '0', 'import'),
  ('service_request', '', '1', 'import_started'),
  ('service_request', '', '2', 'import_completed'),
  ('service_request', '', '4', 'import_invalid'),
  ('work_order', '', '0', 'import'),
  ('work_order', '', '1', 'import_started'),
  ('work_order', '', '2', 'import_completed'),
  ('work_order', '', '4', 'import_invalid');
