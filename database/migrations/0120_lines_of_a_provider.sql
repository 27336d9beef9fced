-- A line of a payout says which provider's it is: the numbers of charges and refunds are each provider's own, and two providers of
-- a town may have the same.
ALTER TABLE payout_line ADD COLUMN provider text;
UPDATE payout_line l SET provider = p.provider FROM payout p WHERE p.company_id = l.company_id AND p.id = l.payout_id;
ALTER TABLE payout_line ALTER COLUMN provider SET NOT NULL;
COMMENT ON COLUMN payout_line.provider IS 'the provider of its payout, by which source_ref is a charge, refund or dispute';
DROP INDEX payout_line_by_ref;
CREATE INDEX payout_line_by_ref ON payout_line (company_id, source_ref, way, provider);

-- What came and what went back may come to nothing: no bank tells of that, and nobody waits for it.
UPDATE payout SET deposited_cents = 0, deposited_on = arrives_on WHERE net_cents = 0 AND deposited_cents IS NULL;
