-- Cancellation terms count from the beginning of a reservation. Where that moved, they may count from another instant:
-- late terms that applied once stay, and the office that moves a reservation takes no better terms away.
ALTER TABLE rental_reservation ADD COLUMN terms_from timestamptz(3);
COMMENT ON COLUMN rental_reservation.terms_from IS 'instant from which the cancellation terms count; null: from starts_at';
SELECT make_found_view('rental_reservation');
