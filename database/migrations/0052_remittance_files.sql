-- The daily files by which a billing system is told what was paid here.

CREATE TABLE remittance_file (
  company_id int NOT NULL REFERENCES company,
  number int NOT NULL CHECK (number >= 1),
  day date NOT NULL,
  time_zone text NOT NULL,
  made_at timestamptz(3) NOT NULL,
  credits int NOT NULL,
  credit_cents bigint NOT NULL,
  reversals int NOT NULL,
  reversal_cents bigint NOT NULL,
  in_folder_at timestamptz(3),
  PRIMARY KEY (company_id, number),
  UNIQUE (company_id, day)
);
COMMENT ON TABLE remittance_file IS 'daily files of what was paid through the portal, numbered without a gap; a day without payments has one, too';
COMMENT ON COLUMN remittance_file.day IS 'what was paid up to the end of this day, unless an earlier file has it';
COMMENT ON COLUMN remittance_file.time_zone IS 'in which its days are told, for ever: a file never changes';

-- Which file a remittance is in: in one, as the key says.
CREATE TABLE remittance_filed (
  company_id int NOT NULL,
  remittance_id bigint NOT NULL,
  number int NOT NULL,
  PRIMARY KEY (company_id, remittance_id),
  FOREIGN KEY (company_id, remittance_id) REFERENCES remittance,
  FOREIGN KEY (company_id, number) REFERENCES remittance_file
);
COMMENT ON TABLE remittance_filed IS 'in which daily file a remittance is';
CREATE INDEX remittance_filed_by_file ON remittance_filed (company_id, number, remittance_id);
CREATE INDEX remittance_by_time ON remittance (company_id, at);

GRANT SELECT, INSERT ON remittance_file, remittance_filed TO mainstreet_app, mainstreet_platform;
GRANT UPDATE (in_folder_at) ON remittance_file TO mainstreet_app, mainstreet_platform;
