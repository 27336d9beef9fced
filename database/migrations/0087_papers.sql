-- What an approval gives out: a license or a permit with a number, which anyone can verify (features/forms/server/papers).
CREATE TABLE form_paper (
  company_id int NOT NULL REFERENCES company,
  submission_id bigint NOT NULL,
  number text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  title text NOT NULL,
  holder text NOT NULL,
  issued_on date NOT NULL,
  expires_on date,
  remind_on date,
  reminded_at timestamptz(3),
  PRIMARY KEY (company_id, submission_id),
  FOREIGN KEY (company_id, submission_id) REFERENCES form_submission,
  CHECK (expires_on >= issued_on)
);
COMMENT ON COLUMN form_paper.number IS 'stays through all renewals, as does the code: L-2026-000012';
COMMENT ON COLUMN form_paper.code IS 'what the QR code leads to: /verify/{code}';
COMMENT ON COLUMN form_paper.expires_on IS 'the last day on which it holds; null: it holds for good';
CREATE INDEX form_paper_by_code ON form_paper (company_id, code, issued_on);
CREATE UNIQUE INDEX form_paper_by_number ON form_paper (company_id, number, submission_id);
CREATE INDEX form_paper_by_end ON form_paper (company_id, expires_on) WHERE expires_on IS NOT NULL;
CREATE INDEX form_paper_to_remind ON form_paper (company_id, remind_on) WHERE reminded_at IS NULL AND remind_on IS NOT NULL;

-- The last number that a town gave out in a year.
CREATE TABLE form_paper_number (
  company_id int NOT NULL REFERENCES company,
  year int NOT NULL,
  last int NOT NULL CHECK (last BETWEEN 1 AND 9999999),
  PRIMARY KEY (company_id, year)
);

-- A submission that renews what an earlier one was given.
CREATE TABLE form_renewal (
  company_id int NOT NULL REFERENCES company,
  submission_id bigint NOT NULL,
  renews_id bigint NOT NULL,
  PRIMARY KEY (company_id, submission_id),
  FOREIGN KEY (company_id, submission_id) REFERENCES form_submission ON DELETE CASCADE,
  FOREIGN KEY (company_id, renews_id) REFERENCES form_submission
);
CREATE INDEX form_renewal_of ON form_renewal (company_id, renews_id);

GRANT SELECT, INSERT, UPDATE ON form_paper, form_paper_number TO mainstreet_app, mainstreet_platform;
GRANT SELECT, INSERT, DELETE ON form_renewal TO mainstreet_app, mainstreet_platform;
