-- Meters show fractions: the readings of a move are compared with those that bills are made of.
DROP VIEW found_move_request;
ALTER TABLE move_request ALTER COLUMN final_read TYPE double precision, ALTER COLUMN first_read TYPE double precision;
SELECT make_found_view('move_request');

-- The readings of a completed move end the work orders by which its meters are read.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('work_order', '0', '2', 'read'), ('work_order', '1', '2', 'read'), ('work_order', '3', '2', 'read');
