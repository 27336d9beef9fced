-- Up to when the town's office was told of the payments that came in; null before it was told for the first time.
ALTER TABLE payment_settings ADD COLUMN office_told_until timestamptz(3);
