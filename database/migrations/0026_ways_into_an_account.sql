-- Which ways into an account its owner stands for: those that are no newer than the last link that came back from the
-- mailbox. A new password takes the others away.
ALTER TABLE person ADD COLUMN mailbox_proven_at timestamptz(3);
ALTER TABLE platform_person ADD COLUMN mailbox_proven_at timestamptz(3);
COMMENT ON COLUMN person.mailbox_proven_at IS 'when a link that was mailed there last came back; empty before that was noted';

-- Single sign-on is linked by the step that shows the second factor, not before it.
ALTER TABLE factor_step ADD COLUMN sso_ticket_hash bytea;
ALTER TABLE platform_factor_step ADD COLUMN sso_ticket_hash bytea;
COMMENT ON COLUMN factor_step.sso_ticket_hash IS 'of the identity that waits to be linked (sso_pending)';
