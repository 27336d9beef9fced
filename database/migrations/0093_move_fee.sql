-- A deposit or a fee for moving in is a payment of the town like any other: a payment type, and a charge of it for each move.
ALTER TABLE moving_settings
  ADD COLUMN fee_type_id bigint,
  ADD CONSTRAINT moving_settings_fee_fkey FOREIGN KEY (company_id, fee_type_id) REFERENCES payment_type (company_id, id);
COMMENT ON COLUMN moving_settings.fee_type_id IS 'what whoever moves in is asked to pay; null where nothing is';

ALTER TABLE move_request
  ADD COLUMN charge_id bigint,
  ADD CONSTRAINT move_request_charge_fkey FOREIGN KEY (company_id, charge_id) REFERENCES general_charge (company_id, id);
