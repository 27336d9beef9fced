-- What a resident's cart offers them by one press: tickets and general payments that are known to be theirs.
CREATE INDEX parking_contest_by_resident ON parking_contest (company_id, person_id) WHERE person_id IS NOT NULL;
CREATE INDEX parking_ticket_by_email ON parking_ticket (company_id, email) WHERE status = 'open' AND email <> '';
CREATE INDEX general_charge_by_resident ON general_charge (company_id, person_id)
  WHERE person_id IS NOT NULL AND status IN ('open', 'part');
CREATE INDEX general_charge_by_email ON general_charge (company_id, email)
  WHERE made_by <> '' AND status IN ('open', 'part');

-- A card that is to be kept and whose bank wants to see its owner first: what they agreed to, until they come back.
CREATE TABLE method_setup (
  company_id int NOT NULL,
  person_id bigint NOT NULL,
  -- The key of the call that began it, which comes back with its owner.
  setup_key text NOT NULL,
  method int NOT NULL CHECK (method IN (1, 2)),
  provider text NOT NULL,
  provider_setup text NOT NULL,
  mandate_text text NOT NULL,
  mandate_at timestamptz(3) NOT NULL,
  mandate_address text NOT NULL,
  mandate_device text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  PRIMARY KEY (company_id, person_id, setup_key),
  FOREIGN KEY (company_id, person_id) REFERENCES person (company_id, id)
);
CREATE INDEX method_setup_by_age ON method_setup (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON method_setup TO mainstreet_app, mainstreet_platform;
