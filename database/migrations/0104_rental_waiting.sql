-- People wait for a time of something that is rented out, and get it in their order once it is free (features/rentals).

ALTER TABLE rental_reservation
  DROP CONSTRAINT rental_reservation_status_check,
  ADD CONSTRAINT rental_reservation_status_check CHECK (status IN ('waiting', 'requested', 'held', 'confirmed', 'in_use', 'completed',
    'no_show', 'declined', 'expired', 'cancelled'));

-- Who is first in the list of a resource.
CREATE INDEX rental_reservation_waiting ON rental_reservation (company_id, resource_id, created_at, id) WHERE status = 'waiting';

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('rental_reservation', '', 'waiting', 'wait'),
  ('rental_reservation', 'waiting', 'held', 'offer'),
  ('rental_reservation', 'waiting', 'requested', 'offer'),
  ('rental_reservation', 'waiting', 'confirmed', 'offer'),
  ('rental_reservation', 'waiting', 'cancelled', 'leave'),
  ('rental_reservation', 'waiting', 'expired', 'expire');
