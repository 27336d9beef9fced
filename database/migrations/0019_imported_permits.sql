-- Permits and licenses from another system keep their number and dates.
ALTER TABLE form_submission DROP CONSTRAINT form_submission_made_by_check;
ALTER TABLE form_submission ADD CONSTRAINT form_submission_made_by_check CHECK (made_by IN ('person', 'helper', 'staff', 'import'));
COMMENT ON COLUMN form_submission.made_by IS 'helper: a person filled in the form for another person. staff: staff entered the form at the counter. import: the permit comes from another system.';
COMMENT ON COLUMN form_submission.details IS 'Details for the payment and the receipt: [{name, value}]. For an imported permit, its details in the other system.';
COMMENT ON COLUMN issued_document.number IS 'For example L-2026-000012, or the number in the system that the document was imported from. The number and the code stay the same through renewals.';

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('form_submission', '', '3', 'import'),
  ('form_submission', '', '13', 'import_revoked'),
  ('form_submission', '', '14', 'import_expired');
