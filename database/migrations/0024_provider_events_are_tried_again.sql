-- What the provider says of a payment is booked whatever its state is: an eCheck that was refunded can come back, and a
-- second charge can succeed and be refunded.
INSERT INTO order_status_edge (from_status, to_status, event) VALUES
  (3, 2, 'returned'),
  (3, 1, 'corrected'),
  (1, 2, 'refunded'),
  (1, 2, 'chargeback_lost'),
  (2, 1, 'refund_failed');

-- An event that cannot be applied is tried again after growing waits, and given up after many: then a person looks at it.
ALTER TABLE provider_event
  ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN tries int NOT NULL DEFAULT 0,
  ADD COLUMN next_try_at timestamptz(3),
  ADD COLUMN last_error text,
  ADD COLUMN given_up_at timestamptz(3);
UPDATE provider_event SET next_try_at = received_at WHERE applied_at IS NULL;
DROP INDEX provider_event_waiting;
CREATE INDEX provider_event_due ON provider_event (next_try_at) WHERE applied_at IS NULL AND given_up_at IS NULL;
CREATE INDEX provider_event_waiting ON provider_event (received_at, id) WHERE applied_at IS NULL;

-- A payment shows what a person should look at.
CREATE INDEX payment_alert_by_order ON payment_alert (company_id, order_id);

-- How far the provider's own account of what moved has been read whole.
CREATE TABLE provider_place (
  provider text PRIMARY KEY,
  movement_id text NOT NULL,
  read_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE provider_place IS 'local: the last movement that was read of each payment provider';
GRANT SELECT, INSERT, UPDATE ON provider_place TO mainstreet_app, mainstreet_platform;
