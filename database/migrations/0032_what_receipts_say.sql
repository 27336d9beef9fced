-- What a receipt says of the bill, as it was when the payment was made: which bill, and what was owed before it.
ALTER TABLE payment_order ADD COLUMN bill_number text, ADD COLUMN owed_before_cents bigint;

-- Mailed ways back to a checkout's page, beside the token that its browser has. Kept as hashes of their secrets.
CREATE TABLE checkout_link (
  company_id int NOT NULL REFERENCES company,
  token_hash bytea NOT NULL,
  checkout_id bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, token_hash),
  FOREIGN KEY (company_id, checkout_id) REFERENCES guest_checkout
);
CREATE INDEX checkout_link_by_expiry ON checkout_link (expires_at);
CREATE INDEX checkout_link_of_checkout ON checkout_link (company_id, checkout_id);

GRANT SELECT, INSERT ON checkout_link TO mainstreet_app, mainstreet_platform;
GRANT DELETE ON checkout_link TO mainstreet_platform;
