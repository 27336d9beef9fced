-- Mails, kept answers of calls, and applied events of the payment provider are taken away when they have been kept long
-- enough (server/sweep.ts); each is found by its age.

CREATE INDEX mail_outbox_by_sending ON mail_outbox (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX mail_outbox_unsent_by_age ON mail_outbox (created_at) WHERE sent_at IS NULL;
CREATE INDEX platform_mail_by_sending ON platform_mail (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX platform_mail_unsent_by_age ON platform_mail (created_at) WHERE sent_at IS NULL;
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
CREATE INDEX provider_event_applied ON provider_event (applied_at) WHERE applied_at IS NOT NULL;

GRANT DELETE ON mail_outbox, platform_mail, provider_event TO mainstreet_platform;
