-- Payment providers, checkouts, orders, attempts and refunds.

CREATE TABLE processor (
  id int PRIMARY KEY,
  name text NOT NULL UNIQUE,
  provider text NOT NULL UNIQUE
);
COMMENT ON TABLE processor IS 'reference: Payment processors with an adapter. Spec 2.15 assigns one to each company.';
GRANT SELECT ON processor TO mainstreet_app, mainstreet_platform;
INSERT INTO processor (id, name, provider) VALUES
  (1, 'Sandbox', 'sandbox'),
  (2, 'Stripe', 'stripe'),
  (3, 'Bank file', 'bankfile');

CREATE TABLE payment_settings (
  company_id int PRIMARY KEY REFERENCES company,
  processor_id int NOT NULL DEFAULT 1 REFERENCES processor,
  min_payment_cents bigint NOT NULL DEFAULT 500 CHECK (min_payment_cents > 0),
  max_payment_cents bigint NOT NULL DEFAULT 150000,
  autopay_enabled int NOT NULL DEFAULT 1 CHECK (autopay_enabled IN (0, 1)),
  ivr_user_pin_enabled int NOT NULL DEFAULT 1 CHECK (ivr_user_pin_enabled IN (0, 1)),
  has_card_reader int NOT NULL DEFAULT 0 CHECK (has_card_reader IN (0, 1)),
  receive_payment_emails int NOT NULL DEFAULT 1 CHECK (receive_payment_emails IN (0, 1)),
  has_tele_check int NOT NULL DEFAULT 0 CHECK (has_tele_check IN (0, 1)),
  only_usd_currency int NOT NULL DEFAULT 1 CHECK (only_usd_currency IN (0, 1)),
  has_pay_by_phone int NOT NULL DEFAULT 0 CHECK (has_pay_by_phone IN (0, 1)),
  is_pay_in_full int NOT NULL DEFAULT 0 CHECK (is_pay_in_full IN (0, 1)),
  primary_contact bigint,
  secondary_contact bigint,
  guest_proof text NOT NULL DEFAULT 'none' CHECK (guest_proof IN ('none', 'last_name', 'last_bill')),
  autopay_notice_days int NOT NULL DEFAULT 7 CHECK (autopay_notice_days BETWEEN 1 AND 30),
  autopay_mandate text NOT NULL DEFAULT '',
  refund_limit_cents bigint NOT NULL DEFAULT 25000 CHECK (refund_limit_cents >= 0),
  office_notified_until timestamptz(3),
  reconciled_since date,
  second_processor_id int REFERENCES processor,
  FOREIGN KEY (company_id, primary_contact) REFERENCES person,
  FOREIGN KEY (company_id, secondary_contact) REFERENCES person
);
COMMENT ON TABLE payment_settings IS 'Payment settings of a company (spec 2.15).';
COMMENT ON COLUMN payment_settings.primary_contact IS 'Staff member whom the processor calls first (spec 2.15).';
COMMENT ON COLUMN payment_settings.guest_proof IS 'Second proof that a guest enters in addition to the account number.';
COMMENT ON COLUMN payment_settings.autopay_mandate IS 'AutoPay authorization in the company''s own text. Empty for the default text.';
COMMENT ON COLUMN payment_settings.refund_limit_cents IS 'Maximum refund of a payment that needs no approver, in cents.';
COMMENT ON COLUMN payment_settings.office_notified_until IS 'Time up to which payments are included in the emails to the office.';
COMMENT ON COLUMN payment_settings.reconciled_since IS 'Day of the first payout line. Reconciliation checks the payments from this day on.';
COMMENT ON COLUMN payment_settings.second_processor_id IS 'Processor that takes new payments while the first processor has an outage.';
GRANT SELECT, INSERT, UPDATE ON payment_settings TO mainstreet_app, mainstreet_platform;

CREATE TABLE provider_account (
  company_id int NOT NULL REFERENCES company,
  provider text NOT NULL REFERENCES processor (provider),
  account text NOT NULL,
  PRIMARY KEY (company_id, provider)
);
COMMENT ON TABLE provider_account IS 'Account of a company with a payment provider.';
COMMENT ON COLUMN provider_account.account IS 'Id of the company''s account with the provider.';
CREATE INDEX provider_account_by_account ON provider_account (account);
GRANT SELECT, INSERT, UPDATE ON provider_account TO mainstreet_app, mainstreet_platform;

CREATE TABLE provider_event (
  provider text NOT NULL,
  event_id text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  body jsonb NOT NULL,
  applied_at timestamptz(3),
  id bigint GENERATED ALWAYS AS IDENTITY,
  tries int NOT NULL DEFAULT 0,
  next_try_at timestamptz(3),
  last_error text,
  abandoned_at timestamptz(3),
  PRIMARY KEY (provider, event_id)
);
COMMENT ON TABLE provider_event IS 'local: Inbox of events from payment providers. One row per event, applied once.';
COMMENT ON COLUMN provider_event.applied_at IS 'Time at which the event was applied. Null until then.';
COMMENT ON COLUMN provider_event.abandoned_at IS 'Time of the last attempt. After this attempt, the portal stopped retrying the event.';
CREATE INDEX provider_event_applied ON provider_event (applied_at) WHERE applied_at IS NOT NULL;
CREATE INDEX provider_event_due ON provider_event (next_try_at) WHERE applied_at IS NULL AND abandoned_at IS NULL;
CREATE INDEX provider_event_waiting ON provider_event (received_at, id) WHERE applied_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON provider_event TO mainstreet_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON provider_event TO mainstreet_platform;

CREATE TABLE provider_position (
  provider text PRIMARY KEY,
  movement_id text NOT NULL,
  read_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE provider_position IS 'local: Position in the movement list of each payment provider. A job has read all movements up to this position.';
COMMENT ON COLUMN provider_position.movement_id IS 'Id of the last movement that the job read.';
GRANT SELECT, INSERT, UPDATE ON provider_position TO mainstreet_app, mainstreet_platform;

CREATE TABLE provider_call (
  provider text NOT NULL,
  account text NOT NULL,
  verb text NOT NULL,
  responded_at timestamptz(3),
  silent jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (provider, account, verb)
);
COMMENT ON TABLE provider_call IS 'local: Latest response and latest calls without a response. One row per payment provider, account and call type. Used to detect outages.';
COMMENT ON COLUMN provider_call.account IS 'Account that the calls belong to. Empty for calls without a company.';
COMMENT ON COLUMN provider_call.silent IS 'Times of the latest calls without a response, since the last response. Up to ten ISO timestamps, newest first.';
GRANT SELECT, INSERT, UPDATE ON provider_call TO mainstreet_app, mainstreet_platform;

CREATE TABLE provider_onboarding (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  provider text NOT NULL REFERENCES processor (provider),
  status text NOT NULL DEFAULT 'not_started' CHECK (status IN ('not_started', 'in_progress', 'missing', 'in_review', 'on_hold', 'held', 'ready')),
  owed_by text NOT NULL DEFAULT 'company' CHECK (owed_by IN ('company', 'platform', 'provider', 'none')),
  may_charge boolean NOT NULL DEFAULT true,
  provider_state text NOT NULL DEFAULT '' CHECK (provider_state IN ('', 'in_progress', 'missing', 'in_review', 'on_hold', 'ready')),
  takes_payments boolean NOT NULL DEFAULT false,
  is_paid_out boolean NOT NULL DEFAULT false,
  missing text[] NOT NULL DEFAULT '{}',
  due_at timestamptz(3),
  why text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  status_at timestamptz(3) NOT NULL,
  checked_at timestamptz(3),
  next_check_at timestamptz(3) NOT NULL,
  tested_at timestamptz(3),
  test_passed boolean,
  tested_by text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, provider)
);
COMMENT ON TABLE provider_onboarding IS 'Onboarding of a company with a payment provider. One row per company and provider.';
COMMENT ON COLUMN provider_onboarding.status IS 'Onboarding state. `on_hold`: put on hold by the provider. `held`: put on hold by the platform.';
COMMENT ON COLUMN provider_onboarding.owed_by IS 'Party that must act next in the onboarding.';
COMMENT ON COLUMN provider_onboarding.may_charge IS 'True if new payments to the company can be started through this provider.';
COMMENT ON COLUMN provider_onboarding.provider_state IS 'Last status from the provider. Empty before the first status check.';
COMMENT ON COLUMN provider_onboarding.missing IS 'Information that the provider still requires, as codes that the provider defines.';
COMMENT ON COLUMN provider_onboarding.due_at IS 'Provider''s deadline for the missing information. After it, the provider restricts the account.';
COMMENT ON COLUMN provider_onboarding.why IS 'Reason that the provider restricted the account, in the provider''s words.';
COMMENT ON COLUMN provider_onboarding.checked_at IS 'Start time of the status check that returned the stored status. The portal ignores responses to earlier checks.';
CREATE INDEX provider_onboarding_by_time ON provider_onboarding (status_at, id);
CREATE INDEX provider_onboarding_of_provider ON provider_onboarding (provider, status_at, id);
CREATE INDEX provider_onboarding_of_status ON provider_onboarding (status, status_at, id);
CREATE INDEX provider_onboarding_owed_by ON provider_onboarding (owed_by, status_at, id);
CREATE INDEX provider_onboarding_to_refresh ON provider_onboarding (next_check_at);
GRANT SELECT, INSERT, UPDATE ON provider_onboarding TO mainstreet_app, mainstreet_platform;

CREATE TABLE onboarding_document (
  company_id int NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  onboarding_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('bank_agreement', 'board_decision', 'tax_form')),
  status text NOT NULL CHECK (status IN ('sent', 'accepted', 'replacement_needed', 'replaced')),
  reason text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, onboarding_id) REFERENCES provider_onboarding
);
COMMENT ON TABLE onboarding_document IS 'Document that a company sent for its onboarding with a payment provider. Only the latest document of each kind counts.';
COMMENT ON COLUMN onboarding_document.reason IS 'Reason that staff requested a replacement.';
CREATE UNIQUE INDEX onboarding_document_that_counts ON onboarding_document (company_id, onboarding_id, kind) WHERE status <> 'replaced';
GRANT SELECT, INSERT, UPDATE ON onboarding_document TO mainstreet_app, mainstreet_platform;

CREATE TABLE fee_rule (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  kind text CHECK (kind ~ '^[a-z_]{2,30}(/[a-z_]{2,30})?$'),
  method int NOT NULL CHECK (method IN (1, 2)),
  channel text CHECK (channel IN ('online', 'phone', 'autopay', 'office')),
  brand text CHECK (brand IN ('visa', 'mastercard', 'amex', 'discover')),
  funding text CHECK (funding IN ('credit', 'debit')),
  valid_from date NOT NULL,
  ends boolean NOT NULL DEFAULT false,
  program text NOT NULL CHECK (program IN ('convenience', 'service', 'none')),
  mode text NOT NULL CHECK (mode IN ('single', 'two_transactions')),
  absorb int NOT NULL CHECK (absorb IN (0, 1)),
  bps int NOT NULL CHECK (bps BETWEEN 0 AND 2000),
  fixed_cents int NOT NULL CHECK (fixed_cents BETWEEN 0 AND 10000),
  min_cents int NOT NULL CHECK (min_cents BETWEEN 0 AND 10000),
  max_cents int NOT NULL,
  recovers boolean NOT NULL DEFAULT false,
  made_at timestamptz(3),
  made_by text NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT fee_rule_once_a_day UNIQUE NULLS NOT DISTINCT (company_id, method, kind, channel, brand, funding, valid_from),
  CHECK (max_cents >= min_cents),
  CHECK (method = 1 OR (brand IS NULL AND funding IS NULL AND bps = 0))
);
COMMENT ON TABLE fee_rule IS 'Fee rules by payment kind, method, channel and card, from a given day. A rule in force is never changed. A later rule replaces it.';
COMMENT ON COLUMN fee_rule.kind IS 'Kind of item to pay, or a part of a kind, such as general/taxes. Null: all kinds without their own rule.';
COMMENT ON COLUMN fee_rule.method IS '1 card, 2 eCheck.';
COMMENT ON COLUMN fee_rule.channel IS 'Null if the rule applies to all channels without their own rule.';
COMMENT ON COLUMN fee_rule.valid_from IS 'First day on which the rule applies, in the company''s time zone. A later rule with the same kind, method, channel and card replaces this one.';
COMMENT ON COLUMN fee_rule.ends IS 'True if the fee rules for this kind, method, channel and card end on this day. More general rules then apply.';
COMMENT ON COLUMN fee_rule.mode IS 'two_transactions: the fee is charged separately.';
COMMENT ON COLUMN fee_rule.absorb IS '1 if the company absorbs the fee.';
COMMENT ON COLUMN fee_rule.bps IS 'Fee in hundredths of a percent of the bill. If recovers is true, this is the percentage that the provider charges.';
COMMENT ON COLUMN fee_rule.recovers IS 'True if the fee is grossed up, so that the full bill amount remains after the provider''s percentage and fixed amount.';
COMMENT ON COLUMN fee_rule.made_at IS 'Time at which the rule was created. Null for rules from before fee rules had dates.';
CREATE INDEX fee_rule_by_day ON fee_rule (company_id, valid_from DESC, id DESC);
GRANT SELECT, INSERT, UPDATE, DELETE ON fee_rule TO mainstreet_app, mainstreet_platform;

CREATE TABLE network_fee_rule (
  id text PRIMARY KEY,
  network text NOT NULL CHECK (network IN ('visa', 'mastercard', 'amex', 'discover')),
  program text NOT NULL CHECK (program IN ('convenience', 'service')),
  demand text NOT NULL CHECK (demand IN ('flat', 'single', 'separate', 'not_in', 'only_for', 'all_cards', 'no_program')),
  funding text CHECK (funding IN ('credit', 'debit')),
  channels text[] NOT NULL DEFAULT '{}',
  kinds text[] NOT NULL DEFAULT '{}',
  valid_from date NOT NULL,
  valid_to date,
  message text NOT NULL,
  source text NOT NULL,
  basis text NOT NULL CHECK (basis IN ('published', 'reading'))
);
COMMENT ON TABLE network_fee_rule IS 'reference: Limits that card networks set on the fees that payers are charged.';
COMMENT ON COLUMN network_fee_rule.demand IS 'Condition that a fee rule must meet. Its parameters are in funding, channels and kinds.';
COMMENT ON COLUMN network_fee_rule.valid_from IS 'First day on which the portal applies the rule. It may be later than the network''s own date.';
COMMENT ON COLUMN network_fee_rule.message IS 'Message to staff if a fee rule breaks the limit.';
COMMENT ON COLUMN network_fee_rule.source IS 'Network document that contains the rule.';
COMMENT ON COLUMN network_fee_rule.basis IS 'published: the network''s own document states the rule. reading: our interpretation, which the company''s acquirer must confirm.';
GRANT SELECT ON network_fee_rule TO mainstreet_app, mainstreet_platform;
INSERT INTO network_fee_rule (id, network, program, demand, funding, channels, kinds, valid_from, message, source, basis) VALUES
  ('amex-convenience-all-cards', 'amex', 'convenience', 'all_cards', NULL, '{}', '{}', '2020-01-01', 'American Express requires that its cards are treated no worse than other cards. Do not choose a card brand.', 'American Express Merchant Operating Guide (U.S.), treatment of the Card', 'published'),
  ('amex-service-all-cards', 'amex', 'service', 'all_cards', NULL, '{}', '{}', '2020-01-01', 'American Express requires that its cards are treated no worse than other cards. Do not choose a card brand.', 'American Express Merchant Operating Guide (U.S.), treatment of the Card', 'published'),
  ('discover-convenience-all-cards', 'discover', 'convenience', 'all_cards', NULL, '{}', '{}', '2020-01-01', 'Discover requires that its cards have no higher fee than other cards. Do not choose a card brand.', 'Discover Network operating regulations, fees charged to cardholders; to be confirmed with the municipality''s acquirer', 'reading'),
  ('discover-service-all-cards', 'discover', 'service', 'all_cards', NULL, '{}', '{}', '2020-01-01', 'Discover requires that its cards have no higher fee than other cards. Do not choose a card brand.', 'Discover Network operating regulations, fees charged to cardholders; to be confirmed with the municipality''s acquirer', 'reading'),
  ('mastercard-convenience-all-cards', 'mastercard', 'convenience', 'all_cards', NULL, '{}', '{}', '2020-01-01', 'Mastercard allows a convenience fee only if all similar transactions have the fee, with any payment method. Do not choose a card brand or type of card.', 'Mastercard Rules, Charges to Cardholders', 'published'),
  ('mastercard-service-debit', 'mastercard', 'service', 'flat', 'debit', '{}', '{}', '2020-01-01', 'A percentage fee only for debit cards would be a surcharge. Mastercard forbids surcharges on debit cards. Leave the percentage at 0.', 'Mastercard Rules, United States Region, surcharging: no surcharge on debit or prepaid cards', 'reading'),
  ('visa-convenience-all-cards', 'visa', 'convenience', 'all_cards', NULL, '{}', '{}', '2020-01-01', 'Visa requires the same convenience fee for every payment method in a channel. Do not choose a card brand or type of card.', 'Visa Core Rules and Visa Product and Service Rules, Convenience Fees (U.S. Region)', 'published'),
  ('visa-convenience-channel', 'visa', 'convenience', 'not_in', NULL, '{office}', '{}', '2020-01-01', 'Visa allows a convenience fee only for an alternative way to pay, never face to face. Choose a channel other than the office.', 'Visa Core Rules and Visa Product and Service Rules, Convenience Fees (U.S. Region)', 'published'),
  ('visa-convenience-flat', 'visa', 'convenience', 'flat', NULL, '{}', '{}', '2020-01-01', 'Visa requires that a convenience fee is a flat amount, regardless of the bill. Leave the percentage at 0.', 'Visa Core Rules and Visa Product and Service Rules, Convenience Fees (U.S. Region)', 'published'),
  ('visa-convenience-one-charge', 'visa', 'convenience', 'single', NULL, '{}', '{}', '2020-01-01', 'Visa requires that a convenience fee is part of the payment amount. Charge both together.', 'Visa Core Rules and Visa Product and Service Rules, Convenience Fees (U.S. Region)', 'published'),
  ('visa-convenience-recurring', 'visa', 'convenience', 'not_in', NULL, '{autopay}', '{}', '2020-01-01', 'Visa allows no convenience fee on recurring payments. Choose a channel other than AutoPay.', 'Visa Core Rules and Visa Product and Service Rules, Convenience Fees (U.S. Region)', 'published'),
  ('visa-service-debit', 'visa', 'service', 'flat', 'debit', '{}', '{}', '2020-01-01', 'A percentage fee only for debit cards would be a surcharge. Visa forbids surcharges on debit cards. Leave the percentage at 0.', 'Visa Core Rules and Visa Product and Service Rules, Surcharges (U.S. Region): no surcharge on debit or prepaid cards', 'reading'),
  ('visa-service-kinds', 'visa', 'service', 'only_for', NULL, '{}', '{parking,form,general/taxes,general/licenses,general/permits,general/records,general/safety}', '2020-01-01', 'Visa allows a service fee only for government and education payments, such as taxes, fines, permits and licenses, and not for utilities. Choose a type of bill that qualifies.', 'Visa Government and Education Payment Program (service fee), merchant category codes 9211, 9222, 9311, 9399; the municipality''s acquirer must confirm which of its bills qualify', 'reading'),
  ('visa-service-separate', 'visa', 'service', 'separate', NULL, '{}', '{}', '2020-01-01', 'Visa requires that a service fee is charged separately from the bill. Choose two transactions.', 'Visa Government and Education Payment Program (service fee)', 'published');

CREATE TABLE guest_checkout (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  payables jsonb NOT NULL,
  last_no int NOT NULL,
  cart_of bigint,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, token_hash),
  FOREIGN KEY (company_id, cart_of) REFERENCES person
);
COMMENT ON TABLE guest_checkout IS 'Payment page with its items, for guests and signed-in residents. Payment orders refer to it.';
COMMENT ON COLUMN guest_checkout.token_hash IS 'Hash of the token in the page''s address.';
COMMENT ON COLUMN guest_checkout.payables IS 'Items to pay, in the same order as the order lines that they become.';
COMMENT ON COLUMN guest_checkout.last_no IS 'Highest item number so far. Numbers of removed items are not reused.';
COMMENT ON COLUMN guest_checkout.cart_of IS 'Resident who owns the cart. Null if the checkout is not a cart.';
CREATE UNIQUE INDEX guest_checkout_cart_of ON guest_checkout (company_id, cart_of) WHERE cart_of IS NOT NULL;
GRANT SELECT, INSERT ON guest_checkout TO mainstreet_app, mainstreet_platform;
GRANT UPDATE (expires_at, payables, last_no, cart_of) ON guest_checkout TO mainstreet_app, mainstreet_platform;

CREATE TABLE checkout_link (
  company_id int NOT NULL REFERENCES company,
  token_hash bytea NOT NULL,
  checkout_id bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, token_hash),
  FOREIGN KEY (company_id, checkout_id) REFERENCES guest_checkout
);
COMMENT ON TABLE checkout_link IS 'Emailed links to a checkout. Only the hash of each token is stored.';
CREATE INDEX checkout_link_by_expiry ON checkout_link (expires_at);
CREATE INDEX checkout_link_of_checkout ON checkout_link (company_id, checkout_id);
GRANT SELECT, INSERT ON checkout_link TO mainstreet_app;
GRANT SELECT, INSERT, DELETE ON checkout_link TO mainstreet_platform;

CREATE TABLE payment_order (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY (START WITH 100001),
  status int NOT NULL CHECK (status IN (0, 1, 2, 3, 5)),
  checkout_id bigint,
  person_id bigint,
  reference text NOT NULL,
  payer_name text NOT NULL,
  payer_email text NOT NULL,
  location int NOT NULL CHECK (location IN (1, 3, 4, 5, 6, 7)),
  method int NOT NULL CHECK (method IN (1, 2, 3, 4, 5, 6)),
  pay_type int NOT NULL CHECK (pay_type IN (1, 2, 3)),
  bill_cents bigint NOT NULL CHECK (bill_cents > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  absorbed_fee_cents bigint NOT NULL DEFAULT 0 CHECK (absorbed_fee_cents >= 0),
  total_cents bigint NOT NULL,
  refunded_cents bigint NOT NULL DEFAULT 0,
  fee_quote jsonb NOT NULL,
  method_label text NOT NULL DEFAULT '',
  return_code text,
  dispute_open boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  paid_at timestamptz(3),
  search_text text NOT NULL,
  net_bill_cents bigint NOT NULL DEFAULT 0,
  net_fee_cents bigint NOT NULL DEFAULT 0,
  refunded_bill_cents bigint NOT NULL DEFAULT 0,
  refunded_fee_cents bigint NOT NULL DEFAULT 0,
  returned_bill_cents bigint NOT NULL DEFAULT 0,
  returned_fee_cents bigint NOT NULL DEFAULT 0,
  type text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, checkout_id) REFERENCES guest_checkout,
  CHECK (total_cents = (bill_cents + fee_cents)),
  CHECK (refunded_cents >= 0 AND refunded_cents <= total_cents)
);
COMMENT ON TABLE payment_order IS 'Payment made through a checkout, at the counter, by phone, through AutoPay or through a bank. Its attempts are in payment_attempt.';
COMMENT ON COLUMN payment_order.status IS '0 Pending, 1 Success, 2 Declined, 3 Refund, 5 Void (spec 4.6).';
COMMENT ON COLUMN payment_order.reference IS 'References of the paid items, such as an account number, for staff.';
COMMENT ON COLUMN payment_order.location IS '1 Online, 3 PayByPhone, 4 Guest quick-pay, 5 Office, 6 Autopay, 7 Pay channel (spec 9.5).';
COMMENT ON COLUMN payment_order.method IS '1 card, 2 eCheck, 3 cash, 4 check, 5 money order, 6 bank payment.';
COMMENT ON COLUMN payment_order.pay_type IS '1 full, 2 partial, 3 other amount.';
COMMENT ON COLUMN payment_order.fee_quote IS 'Fee terms and amounts at the time of payment. They never change.';
COMMENT ON COLUMN payment_order.method_label IS 'Label of the payment method, such as a card brand and its last digits.';
COMMENT ON COLUMN payment_order.return_code IS 'Return code from the bank for a declined or returned eCheck. Null if there is none.';
COMMENT ON COLUMN payment_order.net_bill_cents IS 'Bill amount in the ledger after refunds and returns. This amount and the other net, refunded and returned amounts are copies from ledger_payment.';
COMMENT ON COLUMN payment_order.type IS 'Types of the order lines, as shown in reports.';
CREATE INDEX payment_order_by_amount ON payment_order (company_id, total_cents DESC, id DESC);
CREATE INDEX payment_order_by_checkout ON payment_order (company_id, checkout_id, id DESC) WHERE checkout_id IS NOT NULL;
CREATE INDEX payment_order_by_text ON payment_order USING gin (company_id, folded(search_text) gin_trgm_ops);
CREATE INDEX payment_order_by_time ON payment_order (company_id, created_at DESC, id DESC);
CREATE INDEX payment_order_of_person ON payment_order (company_id, person_id, paid_at) WHERE person_id IS NOT NULL AND paid_at IS NOT NULL;
CREATE INDEX payment_order_of_status ON payment_order (company_id, status, created_at DESC, id DESC) WHERE status <> 1;
CREATE UNIQUE INDEX payment_order_one_per_checkout ON payment_order (company_id, checkout_id) WHERE checkout_id IS NOT NULL AND status IN (0, 1, 3);
CREATE INDEX payment_order_returned ON payment_order (company_id, return_code, created_at DESC, id DESC) INCLUDE (method, total_cents, paid_at) WHERE return_code IS NOT NULL;
CREATE INDEX payment_order_unpaid ON payment_order (company_id, created_at) INCLUDE (status, method, location, bill_cents, fee_cents, total_cents) WHERE paid_at IS NULL AND status IN (0, 2, 5);
GRANT SELECT, INSERT, UPDATE ON payment_order TO mainstreet_app, mainstreet_platform;
GRANT USAGE ON SEQUENCE payment_order_id_seq TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_order_line (
  company_id int NOT NULL REFERENCES company,
  order_id bigint NOT NULL,
  line_no int NOT NULL CHECK (line_no > 0),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{2,30}$'),
  payable_id bigint NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  settled_cents bigint NOT NULL DEFAULT 0,
  gl_account text NOT NULL,
  fee_program text NOT NULL CHECK (fee_program IN ('convenience', 'service', 'none')),
  title text NOT NULL,
  details jsonb NOT NULL,
  items jsonb NOT NULL DEFAULT '[]',
  owed_before_cents bigint,
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  absorbed_fee_cents bigint NOT NULL CHECK (absorbed_fee_cents >= 0),
  fee_mode text NOT NULL DEFAULT 'single' CHECK (fee_mode IN ('single', 'two_transactions')),
  PRIMARY KEY (company_id, order_id, line_no),
  UNIQUE (company_id, order_id, kind, payable_id),
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order,
  CHECK (settled_cents >= 0 AND settled_cents <= amount_cents)
);
COMMENT ON TABLE payment_order_line IS 'Line item of a payment order.';
COMMENT ON COLUMN payment_order_line.settled_cents IS 'Captured amount less refunds and returns, in cents.';
COMMENT ON COLUMN payment_order_line.details IS 'Details on the receipt, as {name, value}.';
COMMENT ON COLUMN payment_order_line.owed_before_cents IS 'Amount due on the item before this payment. Null for older payments.';
CREATE INDEX payment_order_line_by_payable ON payment_order_line (company_id, kind, payable_id, order_id DESC);
GRANT SELECT, INSERT ON payment_order_line TO mainstreet_app, mainstreet_platform;
GRANT UPDATE (settled_cents) ON payment_order_line TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_attempt (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  order_id bigint NOT NULL,
  attempt_no int NOT NULL,
  idempotency_key text NOT NULL,
  status int NOT NULL CHECK (status IN (0, 1, 2)),
  step text NOT NULL CHECK (step IN ('new', 'created', 'submitted', 'processing', 'requires_action', 'succeeded', 'failed', 'canceled', 'returned')),
  provider text NOT NULL,
  provider_account text NOT NULL,
  intent_id text,
  action_url text,
  error_code text,
  error_message text,
  created_at timestamptz(3) NOT NULL,
  submitted_at timestamptz(3),
  checked_at timestamptz(3) NOT NULL,
  part text NOT NULL DEFAULT 'bill' CHECK (part IN ('bill', 'fee')),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, idempotency_key),
  UNIQUE (company_id, order_id, attempt_no),
  UNIQUE (company_id, provider, intent_id),
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order
);
COMMENT ON TABLE payment_attempt IS 'Attempt to charge a payment order at a provider.';
COMMENT ON COLUMN payment_attempt.status IS '0 pending, 1 succeeded, 2 failed.';
COMMENT ON COLUMN payment_attempt.intent_id IS 'Id of the charge at the provider. Null until the provider creates it.';
COMMENT ON COLUMN payment_attempt.part IS 'bill: the payment''s own charge. fee: the charge of a separate fee.';
CREATE INDEX payment_attempt_declined ON payment_attempt (company_id, created_at) INCLUDE (order_id, error_code) WHERE step = 'failed' AND part = 'bill';
CREATE INDEX payment_attempt_in_vain ON payment_attempt (company_id, created_at) WHERE status <> 1 AND step IN ('new', 'created', 'submitted', 'canceled');
CREATE INDEX payment_attempt_live ON payment_attempt (company_id, checked_at) WHERE status = 0;
CREATE INDEX payment_attempt_live_anywhere ON payment_attempt (checked_at) WHERE status = 0;
CREATE UNIQUE INDEX payment_attempt_one_live ON payment_attempt (company_id, order_id) WHERE status = 0;
GRANT SELECT, INSERT, UPDATE ON payment_attempt TO mainstreet_app, mainstreet_platform;
GRANT USAGE ON SEQUENCE payment_attempt_id_seq TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_fee (
  company_id int NOT NULL REFERENCES company,
  id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'charged', 'owed', 'waived', 'dropped')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, id) REFERENCES payment_order
);
COMMENT ON TABLE payment_fee IS 'Separate fee of a payment, with its status.';
COMMENT ON COLUMN payment_fee.id IS 'Id of the payment order.';
COMMENT ON COLUMN payment_fee.status IS 'dropped: no longer owed, because the bill was refunded or returned.';
COMMENT ON COLUMN payment_fee.since IS 'Time at which the current status started.';
CREATE INDEX payment_fee_by_status ON payment_fee (company_id, status, id DESC);
GRANT SELECT, INSERT, UPDATE ON payment_fee TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_refund (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  order_id bigint NOT NULL,
  attempt_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('refund', 'void')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'sending', 'done', 'declined', 'failed')),
  requested_by bigint NOT NULL,
  requested_by_name text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  decided_by bigint,
  decided_by_name text NOT NULL DEFAULT '',
  decided_at timestamptz(3),
  provider_ref text,
  note text NOT NULL DEFAULT '',
  idempotency_key text NOT NULL,
  line_no int,
  is_fee_part boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, idempotency_key),
  FOREIGN KEY (company_id, attempt_id) REFERENCES payment_attempt,
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order,
  FOREIGN KEY (company_id, order_id, line_no) REFERENCES payment_order_line,
  CHECK (decided_by <> requested_by OR status = 'declined'),
  CHECK (line_no IS NULL OR kind = 'refund')
);
COMMENT ON TABLE payment_refund IS 'Refund or void of a payment, with its requester and approver.';
COMMENT ON COLUMN payment_refund.requested_by IS 'Person who requested the refund, from the company or the platform.';
COMMENT ON COLUMN payment_refund.note IS 'Reason that the approver declined the refund, or that the provider refused it.';
COMMENT ON COLUMN payment_refund.line_no IS 'Order line to refund. Null for a refund of the whole payment.';
COMMENT ON COLUMN payment_refund.is_fee_part IS 'True for the refund of a separate fee. The portal makes this refund after the refund of the bill.';
CREATE INDEX payment_refund_by_order ON payment_refund (company_id, order_id);
CREATE INDEX payment_refund_by_status ON payment_refund (company_id, status, requested_at DESC, id DESC);
CREATE INDEX payment_refund_by_time ON payment_refund (company_id, requested_at DESC, id DESC);
CREATE INDEX payment_refund_sending ON payment_refund (requested_at) WHERE status = 'sending';
GRANT SELECT, INSERT, UPDATE ON payment_refund TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_alert (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  order_id bigint NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order
);
COMMENT ON TABLE payment_alert IS 'Message to staff about a payment that needs a review.';
CREATE INDEX payment_alert_by_order ON payment_alert (company_id, order_id);
CREATE INDEX payment_alert_by_time ON payment_alert (company_id, at);
GRANT SELECT, INSERT ON payment_alert TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_stock (
  company_id int NOT NULL,
  type_id bigint NOT NULL,
  number text NOT NULL,
  position bigint GENERATED BY DEFAULT AS IDENTITY,
  charge_id bigint,
  PRIMARY KEY (company_id, type_id, number)
);
COMMENT ON TABLE payment_stock IS 'Number that a payment type can assign, such as a tag number.';
COMMENT ON COLUMN payment_stock.position IS 'Order in which the numbers are assigned.';
COMMENT ON COLUMN payment_stock.charge_id IS 'Charge that the number is assigned to, or is on hold for until the payer completes the payment.';
CREATE INDEX payment_stock_free ON payment_stock (company_id, type_id, "position") WHERE charge_id IS NULL;
CREATE UNIQUE INDEX payment_stock_of_charge ON payment_stock (company_id, charge_id);
GRANT SELECT, INSERT, UPDATE ON payment_stock TO mainstreet_app, mainstreet_platform;

CREATE TABLE payment_outage (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  provider text NOT NULL REFERENCES processor (provider),
  is_company_only boolean NOT NULL DEFAULT false,
  since timestamptz(3) NOT NULL,
  noticed_at timestamptz(3) NOT NULL,
  calm_since timestamptz(3),
  until timestamptz(3),
  relapses int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  CHECK (until >= since)
);
COMMENT ON TABLE payment_outage IS 'Outage of a payment provider for a company.';
COMMENT ON COLUMN payment_outage.is_company_only IS 'True if the outage affects only this company. Other companies can pay through the provider.';
COMMENT ON COLUMN payment_outage.since IS 'Time of the first call without a response.';
COMMENT ON COLUMN payment_outage.calm_since IS 'Time of the first response after the failed calls. The outage ends only after a period without errors.';
COMMENT ON COLUMN payment_outage.relapses IS 'Number of times that the outage started again shortly after it ended.';
CREATE INDEX payment_outage_by_time ON payment_outage (company_id, since, id);
CREATE INDEX payment_outage_current ON payment_outage (provider) WHERE until IS NULL;
CREATE INDEX payment_outage_of_all ON payment_outage (since, id);
CREATE UNIQUE INDEX payment_outage_open ON payment_outage (company_id, provider) WHERE until IS NULL;
GRANT SELECT, INSERT, UPDATE ON payment_outage TO mainstreet_app, mainstreet_platform;

CREATE TABLE stored_method (
  company_id int NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  person_id bigint NOT NULL,
  method int NOT NULL CHECK (method IN (1, 2)),
  provider text NOT NULL,
  provider_customer text NOT NULL,
  provider_method text NOT NULL,
  method_label text NOT NULL,
  bank_name text NOT NULL DEFAULT '',
  expires_on date,
  is_default boolean NOT NULL DEFAULT false,
  unusable text NOT NULL DEFAULT '' CHECK (unusable IN ('', 'details', 'revoked')),
  mandate_text text NOT NULL,
  mandate_at timestamptz(3) NOT NULL,
  mandate_address text NOT NULL,
  mandate_device text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  expiry_notified_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, person_id, provider_method),
  FOREIGN KEY (company_id, person_id) REFERENCES person
);
COMMENT ON TABLE stored_method IS 'Saved payment method of a person, with the authorization to charge it. The provider stores the card or bank details.';
COMMENT ON COLUMN stored_method.method IS '1 card, 2 eCheck.';
COMMENT ON COLUMN stored_method.provider_method IS 'Id of the payment method with the provider.';
COMMENT ON COLUMN stored_method.method_label IS 'Display text, such as the card brand and last four digits.';
COMMENT ON COLUMN stored_method.unusable IS 'Reason that the payment method is unusable, empty if it is usable. `details`: the account details are wrong. `revoked`: the authorization was revoked.';
COMMENT ON COLUMN stored_method.mandate_text IS 'Authorization text that the person accepted.';
COMMENT ON COLUMN stored_method.expiry_notified_at IS 'Time of the notification about the card''s expiration.';
CREATE INDEX stored_method_expiring ON stored_method (company_id, expires_on) WHERE expires_on IS NOT NULL AND expiry_notified_at IS NULL AND removed_at IS NULL;
CREATE UNIQUE INDEX stored_method_one_default ON stored_method (company_id, person_id) WHERE is_default AND removed_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON stored_method TO mainstreet_app, mainstreet_platform;

CREATE TABLE deferred_payment (
  company_id int NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  outage_id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('noted', 'waiting', 'charging', 'reminded', 'paid', 'failed', 'not_owed', 'changed', 'withdrawn')),
  action text NOT NULL CHECK (action IN ('note', 'charge', 'remind', 'autopay')),
  made_at timestamptz(3) NOT NULL,
  reference text NOT NULL,
  payer_name text NOT NULL,
  email text NOT NULL,
  person_id bigint,
  checkout_id bigint,
  method_id bigint,
  method_label text NOT NULL DEFAULT '',
  bill_cents bigint NOT NULL CHECK (bill_cents > 0),
  total_cents bigint NOT NULL,
  tries int NOT NULL DEFAULT 0,
  not_before timestamptz(3),
  order_id bigint,
  attempt_id bigint,
  finished_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, attempt_id) REFERENCES payment_attempt,
  FOREIGN KEY (company_id, checkout_id) REFERENCES guest_checkout,
  FOREIGN KEY (company_id, method_id) REFERENCES stored_method,
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order,
  FOREIGN KEY (company_id, outage_id) REFERENCES payment_outage,
  FOREIGN KEY (company_id, person_id) REFERENCES person,
  CHECK ((action = 'charge') = (method_id IS NOT NULL))
);
COMMENT ON TABLE deferred_payment IS 'Payment deferred because of an outage, with the action that the payer chose for later. At first it has no payment attempt.';
COMMENT ON COLUMN deferred_payment.action IS 'Action after the outage. note: no action. autopay: AutoPay charges later.';
COMMENT ON COLUMN deferred_payment.method_label IS 'Label of the payment method.';
COMMENT ON COLUMN deferred_payment.total_cents IS 'Total that the payer saw, including the fee. The portal never charges more.';
COMMENT ON COLUMN deferred_payment.not_before IS 'Earliest time of the next attempt.';
CREATE INDEX deferred_payment_by_time ON deferred_payment (company_id, made_at, id);
CREATE UNIQUE INDEX deferred_payment_of_checkout ON deferred_payment (company_id, checkout_id) WHERE status IN ('waiting', 'charging');
CREATE INDEX deferred_payment_of_outage ON deferred_payment (company_id, outage_id, made_at, id);
CREATE INDEX deferred_payment_of_status ON deferred_payment (company_id, status, made_at, id);
CREATE INDEX deferred_payment_open ON deferred_payment (company_id, id) WHERE status IN ('waiting', 'charging', 'reminded');
GRANT SELECT, INSERT, UPDATE ON deferred_payment TO mainstreet_app, mainstreet_platform;

CREATE TABLE deferred_payment_line (
  company_id int NOT NULL,
  deferred_payment_id bigint NOT NULL,
  line_no int NOT NULL,
  kind text NOT NULL,
  payable_id bigint NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  PRIMARY KEY (company_id, deferred_payment_id, line_no),
  FOREIGN KEY (company_id, deferred_payment_id) REFERENCES deferred_payment
);
COMMENT ON TABLE deferred_payment_line IS 'Item of a deferred payment.';
CREATE INDEX deferred_payment_line_of_payable ON deferred_payment_line (company_id, kind, payable_id);
GRANT SELECT, INSERT, UPDATE ON deferred_payment_line TO mainstreet_app, mainstreet_platform;

CREATE TABLE method_setup (
  company_id int NOT NULL,
  person_id bigint NOT NULL,
  setup_key text NOT NULL,
  method int NOT NULL CHECK (method IN (1, 2)),
  provider text NOT NULL,
  provider_setup text NOT NULL,
  mandate_text text NOT NULL,
  mandate_at timestamptz(3) NOT NULL,
  mandate_address text NOT NULL,
  mandate_device text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (company_id, person_id, setup_key),
  FOREIGN KEY (company_id, person_id) REFERENCES person
);
COMMENT ON TABLE method_setup IS 'Payment method that can be saved only after the payer approves it with the bank. The row contains the payer''s authorization.';
COMMENT ON COLUMN method_setup.setup_key IS 'Idempotency key of the call. The return URL contains it to identify the setup.';
COMMENT ON COLUMN method_setup.method IS '1 card, 2 eCheck.';
CREATE INDEX method_setup_by_age ON method_setup (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON method_setup TO mainstreet_app, mainstreet_platform;

CREATE TABLE autopay_mandate (
  company_id int NOT NULL REFERENCES company,
  version int NOT NULL,
  text text NOT NULL,
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, version)
);
COMMENT ON TABLE autopay_mandate IS 'Authorization texts that residents agree to, by version. A version is never changed.';
CREATE UNIQUE INDEX autopay_mandate_by_text ON autopay_mandate (company_id, md5(text));
GRANT SELECT, INSERT ON autopay_mandate TO mainstreet_app, mainstreet_platform;

CREATE TABLE autopay (
  company_id int NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  person_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{2,30}$'),
  payable_id bigint NOT NULL,
  reference text NOT NULL,
  method_id bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'paused', 'ended', 'removed')),
  timing text NOT NULL CHECK (timing IN ('due', 'before', 'day')),
  days_before int NOT NULL CHECK (days_before BETWEEN 0 AND 20),
  day_of_month int NOT NULL CHECK (day_of_month BETWEEN 0 AND 28),
  cap_cents bigint CHECK (cap_cents > 0),
  skip_next boolean NOT NULL DEFAULT false,
  enrolled_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  end_reason text NOT NULL DEFAULT '',
  end_code text NOT NULL DEFAULT '',
  search_text text NOT NULL,
  ends_on date,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, method_id) REFERENCES stored_method,
  FOREIGN KEY (company_id, person_id) REFERENCES person
);
COMMENT ON TABLE autopay IS 'AutoPay enrollments. Each one pays the due bills of one payable automatically.';
COMMENT ON COLUMN autopay.kind IS 'Kind of payable. With payable_id, identifies the account.';
COMMENT ON COLUMN autopay.method_id IS 'Saved payment method (stored_method).';
COMMENT ON COLUMN autopay.timing IS 'due: on the due date. before: days_before days before the due date. day: on the day of the month in day_of_month.';
COMMENT ON COLUMN autopay.days_before IS 'Number of days before the due date. 0 unless timing is before.';
COMMENT ON COLUMN autopay.day_of_month IS 'Day of the month for the charge. 0 unless timing is day.';
COMMENT ON COLUMN autopay.cap_cents IS 'Maximum amount of a charge. Null: no maximum.';
COMMENT ON COLUMN autopay.skip_next IS 'True if AutoPay skips the next bill. Only that one bill is skipped.';
COMMENT ON COLUMN autopay.end_code IS 'Error code from the provider or the bank, such as R02.';
COMMENT ON COLUMN autopay.ends_on IS 'Last day on which AutoPay can charge, set when the resident leaves the account. Null if no end is set.';
CREATE INDEX autopay_by_end ON autopay (company_id, ended_at DESC, id DESC) WHERE ended_at IS NOT NULL;
CREATE INDEX autopay_by_end_reason ON autopay (company_id, end_reason, ended_at DESC, id DESC) WHERE ended_at IS NOT NULL;
CREATE INDEX autopay_by_method ON autopay (company_id, method_id);
CREATE INDEX autopay_by_person ON autopay (company_id, person_id);
CREATE INDEX autopay_by_reference ON autopay (company_id, reference, id) WHERE state IN ('active', 'paused');
CREATE INDEX autopay_by_state ON autopay (company_id, state, enrolled_at DESC, id DESC);
CREATE INDEX autopay_by_text ON autopay USING gin (company_id, folded(search_text) gin_trgm_ops);
CREATE INDEX autopay_by_time ON autopay (company_id, enrolled_at DESC, id DESC) WHERE state IN ('active', 'paused');
CREATE UNIQUE INDEX autopay_one_per_thing ON autopay (company_id, kind, payable_id) WHERE state IN ('active', 'paused');
CREATE INDEX autopay_that_ends ON autopay (company_id, ends_on) WHERE ends_on IS NOT NULL AND state IN ('active', 'paused');
GRANT SELECT, INSERT, UPDATE ON autopay TO mainstreet_app, mainstreet_platform;

CREATE TABLE autopay_agreement (
  company_id int NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  autopay_id bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  address text NOT NULL,
  device text NOT NULL,
  mandate_version int NOT NULL,
  terms text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, autopay_id) REFERENCES autopay,
  FOREIGN KEY (company_id, mandate_version) REFERENCES autopay_mandate
);
COMMENT ON TABLE autopay_agreement IS 'Evidence of consent to automatic charges: terms, time, address and device. One row per consent.';
COMMENT ON COLUMN autopay_agreement.address IS 'IP address of the person who agreed.';
COMMENT ON COLUMN autopay_agreement.device IS 'Browser of the person who agreed.';
COMMENT ON COLUMN autopay_agreement.mandate_version IS 'Version of the authorization text (autopay_mandate).';
COMMENT ON COLUMN autopay_agreement.terms IS 'Payment method, timing and maximum amount, as shown on the screen.';
CREATE INDEX autopay_agreement_of ON autopay_agreement (company_id, autopay_id);
GRANT SELECT, INSERT ON autopay_agreement TO mainstreet_app, mainstreet_platform;

CREATE TABLE autopay_charge (
  company_id int NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  autopay_id bigint NOT NULL,
  kind text NOT NULL,
  payable_id bigint NOT NULL,
  bill text NOT NULL,
  due_date date NOT NULL,
  charge_on date NOT NULL,
  state text NOT NULL CHECK (state IN ('planned', 'charging', 'paid', 'failed', 'skipped', 'not_owed', 'refused')),
  notified_cents bigint NOT NULL,
  amount_cents bigint,
  presentment int NOT NULL DEFAULT 1,
  tries int NOT NULL DEFAULT 0,
  first_on date,
  not_before timestamptz(3),
  order_id bigint,
  attempt_id bigint,
  reason text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, autopay_id, bill),
  FOREIGN KEY (company_id, autopay_id) REFERENCES autopay,
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order
);
COMMENT ON TABLE autopay_charge IS 'Planned AutoPay charges, one per bill. Adding a row and notifying the payer happen in one transaction. The charge follows later.';
COMMENT ON COLUMN autopay_charge.bill IS 'Number of the bill.';
COMMENT ON COLUMN autopay_charge.state IS 'not_owed: nothing was due, or the amount changed after a returned debit. skipped: the payer skipped the bill, or the enrollment was not active. refused: the portal did not charge, for example because of the maximum.';
COMMENT ON COLUMN autopay_charge.notified_cents IS 'Amount that the payer was notified of. The charge is never higher.';
COMMENT ON COLUMN autopay_charge.amount_cents IS 'Amount charged. Null before the first charge.';
COMMENT ON COLUMN autopay_charge.presentment IS 'Number of times that the charge was presented to the bank, including the next or pending presentment.';
COMMENT ON COLUMN autopay_charge.tries IS 'Number of payment orders of this presentment that ended before the provider charged anything.';
COMMENT ON COLUMN autopay_charge.first_on IS 'Day of the first presentment.';
COMMENT ON COLUMN autopay_charge.not_before IS 'Earliest time of the next attempt. Null if no wait is needed.';
CREATE INDEX autopay_charge_by_order ON autopay_charge (company_id, order_id);
CREATE UNIQUE INDEX autopay_charge_once ON autopay_charge (company_id, kind, payable_id, bill) WHERE state IN ('planned', 'charging', 'paid');
CREATE INDEX autopay_charge_pending ON autopay_charge (company_id, id) WHERE state = 'charging';
CREATE INDEX autopay_charge_planned ON autopay_charge (company_id, charge_on, id) WHERE state = 'planned';
GRANT SELECT, INSERT, UPDATE ON autopay_charge TO mainstreet_app, mainstreet_platform;

CREATE VIEW outage_attempt WITH (security_invoker = true) AS
 SELECT t.company_id,
    t.outage_id,
    t.kind,
    t.payable_id,
    t.amount_cents,
    t.at,
    t.order_id,
    t.deferred_payment_id,
    o.since,
    o.until,
    (o.until AT TIME ZONE z.zone)::date + 3 AS grace_until
   FROM ( SELECT a.company_id,
            o_1.id AS outage_id,
            l.kind,
            l.payable_id,
            l.amount_cents,
            a.created_at AS at,
            a.order_id,
            NULL::bigint AS deferred_payment_id
           FROM payment_order_line l
             JOIN payment_attempt a ON a.company_id = l.company_id AND a.order_id = l.order_id
             JOIN payment_outage o_1 ON o_1.company_id = a.company_id AND o_1.provider = a.provider AND a.created_at >= (o_1.since - '00:02:00'::interval) AND a.created_at <= COALESCE(o_1.until, 'infinity'::timestamp with time zone) AND a.checked_at >= o_1.since
          WHERE a.status <> 1 AND (a.step = ANY (ARRAY['new', 'created', 'submitted', 'canceled']))
        UNION ALL
         SELECT l.company_id,
            p.outage_id,
            l.kind,
            l.payable_id,
            l.amount_cents,
            p.made_at,
            p.order_id,
            p.id
           FROM deferred_payment_line l
             JOIN deferred_payment p ON p.company_id = l.company_id AND p.id = l.deferred_payment_id) t
     JOIN payment_outage o ON o.company_id = t.company_id AND o.id = t.outage_id
     JOIN company c ON c.id = t.company_id
     JOIN timezone z ON z.id = c.timezone_id;
COMMENT ON VIEW outage_attempt IS 'View of payments that were attempted or deferred during a provider outage, by open item. Until grace_until, the portal adds no late fees, does not default arrangements and does not shut off service.';
GRANT SELECT ON outage_attempt TO mainstreet_app, mainstreet_platform;

SELECT make_found_view('payment_order');

SELECT make_found_view('autopay');

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('autopay', '', 'active', 'enroll'),
  ('autopay', 'active', 'ended', 'end'),
  ('autopay', 'active', 'paused', 'halt'),
  ('autopay', 'active', 'paused', 'pause'),
  ('autopay', 'active', 'removed', 'remove'),
  ('autopay', 'active', 'ended', 'stop'),
  ('autopay', 'paused', 'ended', 'end'),
  ('autopay', 'paused', 'removed', 'remove'),
  ('autopay', 'paused', 'active', 'resume'),
  ('autopay', 'paused', 'ended', 'stop'),
  ('fee', '', 'waiting', 'start'),
  ('fee', 'dropped', 'charged', 'charge'),
  ('fee', 'owed', 'waiting', 'again'),
  ('fee', 'owed', 'charged', 'charge'),
  ('fee', 'owed', 'dropped', 'drop'),
  ('fee', 'owed', 'waived', 'waive'),
  ('fee', 'waiting', 'charged', 'charge'),
  ('fee', 'waiting', 'dropped', 'drop'),
  ('fee', 'waiting', 'owed', 'fail'),
  ('fee', 'waived', 'charged', 'charge'),
  ('onboarding_document', '', 'sent', 'send'),
  ('onboarding_document', 'accepted', 'replacement_needed', 'request_replacement'),
  ('onboarding_document', 'accepted', 'replaced', 'replace'),
  ('onboarding_document', 'replacement_needed', 'replaced', 'replace'),
  ('onboarding_document', 'sent', 'accepted', 'accept'),
  ('onboarding_document', 'sent', 'replacement_needed', 'request_replacement'),
  ('onboarding_document', 'sent', 'replaced', 'replace'),
  ('order', '', '0', 'created'),
  ('order', '0', '5', 'cancelled'),
  ('order', '0', '1', 'captured'),
  ('order', '0', '2', 'declined'),
  ('order', '0', '2', 'expired'),
  ('order', '1', '2', 'chargeback_lost'),
  ('order', '1', '3', 'chargeback_lost'),
  ('order', '1', '2', 'refunded'),
  ('order', '1', '3', 'refunded'),
  ('order', '1', '2', 'returned'),
  ('order', '1', '5', 'voided'),
  ('order', '2', '1', 'corrected'),
  ('order', '2', '0', 'new_attempt'),
  ('order', '2', '1', 'refund_failed'),
  ('order', '3', '1', 'corrected'),
  ('order', '3', '1', 'refund_failed'),
  ('order', '3', '2', 'returned'),
  ('order', '5', '1', 'corrected'),
  ('provider_onboarding', '', 'not_started', 'enter'),
  ('provider_onboarding', 'held', 'in_progress', 'resume'),
  ('provider_onboarding', 'held', 'in_review', 'resume'),
  ('provider_onboarding', 'held', 'missing', 'resume'),
  ('provider_onboarding', 'held', 'not_started', 'resume'),
  ('provider_onboarding', 'held', 'on_hold', 'resume'),
  ('provider_onboarding', 'held', 'ready', 'resume'),
  ('provider_onboarding', 'in_progress', 'missing', 'require_info'),
  ('provider_onboarding', 'in_progress', 'held', 'hold'),
  ('provider_onboarding', 'in_progress', 'ready', 'pass'),
  ('provider_onboarding', 'in_progress', 'in_review', 'review'),
  ('provider_onboarding', 'in_progress', 'on_hold', 'stop'),
  ('provider_onboarding', 'in_review', 'missing', 'require_info'),
  ('provider_onboarding', 'in_review', 'held', 'hold'),
  ('provider_onboarding', 'in_review', 'in_progress', 'open'),
  ('provider_onboarding', 'in_review', 'ready', 'pass'),
  ('provider_onboarding', 'in_review', 'on_hold', 'stop'),
  ('provider_onboarding', 'missing', 'held', 'hold'),
  ('provider_onboarding', 'missing', 'in_progress', 'open'),
  ('provider_onboarding', 'missing', 'ready', 'pass'),
  ('provider_onboarding', 'missing', 'in_review', 'review'),
  ('provider_onboarding', 'missing', 'on_hold', 'stop'),
  ('provider_onboarding', 'not_started', 'missing', 'require_info'),
  ('provider_onboarding', 'not_started', 'held', 'hold'),
  ('provider_onboarding', 'not_started', 'in_progress', 'open'),
  ('provider_onboarding', 'not_started', 'ready', 'pass'),
  ('provider_onboarding', 'not_started', 'in_review', 'review'),
  ('provider_onboarding', 'not_started', 'on_hold', 'stop'),
  ('provider_onboarding', 'on_hold', 'missing', 'require_info'),
  ('provider_onboarding', 'on_hold', 'held', 'hold'),
  ('provider_onboarding', 'on_hold', 'in_progress', 'open'),
  ('provider_onboarding', 'on_hold', 'ready', 'pass'),
  ('provider_onboarding', 'on_hold', 'in_review', 'review'),
  ('provider_onboarding', 'ready', 'missing', 'require_info'),
  ('provider_onboarding', 'ready', 'held', 'hold'),
  ('provider_onboarding', 'ready', 'in_progress', 'open'),
  ('provider_onboarding', 'ready', 'in_review', 'review'),
  ('provider_onboarding', 'ready', 'on_hold', 'stop'),
  ('refund', '', 'waiting', 'request'),
  ('refund', '', 'sending', 'follow'),
  ('refund', '', 'sending', 'send'),
  ('refund', 'sending', 'done', 'arrive'),
  ('refund', 'sending', 'failed', 'fail'),
  ('refund', 'waiting', 'sending', 'agree'),
  ('refund', 'waiting', 'sending', 'approve'),
  ('refund', 'waiting', 'declined', 'decline'),
  ('refund', 'waiting', 'declined', 'disagree'),
  ('deferred_payment', '', 'noted', 'note'),
  ('deferred_payment', '', 'waiting', 'defer'),
  ('deferred_payment', 'charging', 'failed', 'fail'),
  ('deferred_payment', 'charging', 'paid', 'pay'),
  ('deferred_payment', 'charging', 'waiting', 'wait'),
  ('deferred_payment', 'reminded', 'paid', 'pay'),
  ('deferred_payment', 'waiting', 'charging', 'start'),
  ('deferred_payment', 'waiting', 'changed', 'change'),
  ('deferred_payment', 'waiting', 'not_owed', 'drop'),
  ('deferred_payment', 'waiting', 'failed', 'fail'),
  ('deferred_payment', 'waiting', 'reminded', 'remind'),
  ('deferred_payment', 'waiting', 'withdrawn', 'withdraw');
