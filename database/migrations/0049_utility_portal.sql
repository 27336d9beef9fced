-- What residents have of their utility accounts in the portal: how an account is linked, what they call it, what its meters
-- showed, and what they want to be told.

ALTER TABLE utility_account
  -- Proves who gets the town's letters: the code is printed on them, and kept as a hash. NULL: the town prints none.
  ADD COLUMN link_code_hash bytea,
  -- Since when its bills come by email alone.
  ADD COLUMN paperless_since timestamptz(3);

ALTER TABLE linked_account
  ADD COLUMN nickname text NOT NULL DEFAULT '',
  -- They are told when more than this was used between two readings, in the unit of the meter.
  ADD COLUMN usage_limit double precision CHECK (usage_limit > 0),
  -- They are told of any use between these days.
  ADD COLUMN away_from date,
  ADD COLUMN away_until date,
  -- A second person who is told of use as well; '' for nobody.
  ADD COLUMN also_to text NOT NULL DEFAULT '',
  ADD CHECK ((away_from IS NULL) = (away_until IS NULL) AND away_from <= away_until);

-- What was used on a meter in the days that end with a reading.
CREATE TABLE meter_read (
  company_id int NOT NULL REFERENCES company,
  account_id bigint NOT NULL,
  meter_number text NOT NULL,
  read_date date NOT NULL,
  -- As bills call it: 'Water'.
  service text NOT NULL,
  unit text NOT NULL,
  reading double precision NOT NULL,
  used double precision NOT NULL,
  days int NOT NULL,
  kind text NOT NULL CHECK (kind IN ('actual', 'estimated', 'corrected')),
  imported_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, account_id, meter_number, read_date),
  FOREIGN KEY (company_id, account_id) REFERENCES utility_account
);
CREATE INDEX meter_read_by_date ON meter_read (company_id, account_id, read_date DESC);
COMMENT ON COLUMN meter_read.days IS 'how many days the use is of; the last of them is the day of the reading';

-- What an import brought that somebody wants to be told of. A job tells it, and takes it away in the same transaction.
CREATE TABLE utility_news (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED ALWAYS AS IDENTITY,
  account_id bigint NOT NULL,
  -- The number of a new bill, or the day of a new reading.
  bill_number text,
  read_date date,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES utility_account,
  CHECK ((bill_number IS NULL) <> (read_date IS NULL))
);

GRANT SELECT, INSERT, UPDATE ON meter_read TO mainstreet_app;
GRANT SELECT, INSERT, DELETE ON utility_news TO mainstreet_app;
GRANT SELECT ON meter_read, utility_news TO mainstreet_platform;
