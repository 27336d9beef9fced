-- What a reader of server/db/schema.ts needs to know of these columns, and their names do not say.
COMMENT ON COLUMN address.at IS 'in metres from the town''s origin';
COMMENT ON COLUMN parcel.at IS 'in metres from the town''s origin';
COMMENT ON COLUMN payment_order.reference IS 'what clerks know its lines by: an account''s number, say';
COMMENT ON COLUMN payment_order.type IS 'what reports call its lines';
COMMENT ON COLUMN payment_order.kept_bill_cents IS 'what the ledger holds of it for the town; likewise of the fee, and what was refunded and returned of both';
COMMENT ON COLUMN payment_order_line.settled_cents IS 'what is left of the amount, of what was captured and not given back';
COMMENT ON COLUMN payment_order_line.owed_before_cents IS 'what could be paid then; null for older payments';
COMMENT ON VIEW form_template_version IS 'the attachments of form templates, by version';
