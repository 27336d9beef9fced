-- Alerts to everybody of a large town: texts leave many at a time, each once (server/sms/send-many.ts).

-- The sandbox takes a text once for a key of ours, as a provider of texts should.
ALTER TABLE sandbox_sms ADD COLUMN key text;
CREATE UNIQUE INDEX sandbox_sms_by_key ON sandbox_sms (key) WHERE key IS NOT NULL;

-- Whether a provider without such keys took a text may stay unknown: it is listed then, and sent again only if staff ask for it.
ALTER TABLE sms_message DROP CONSTRAINT sms_message_state_check;
ALTER TABLE sms_message ADD CONSTRAINT sms_message_state_check
  CHECK (state IN ('waiting', 'sent', 'delivered', 'unclear', 'failed', 'stopped', 'resting'));
ALTER TABLE alert_delivery DROP CONSTRAINT alert_delivery_state_check;
ALTER TABLE alert_delivery ADD CONSTRAINT alert_delivery_state_check
  CHECK (state IN ('queued', 'waiting', 'sent', 'delivered', 'unclear', 'failed', 'stopped', 'resting'));
DROP INDEX alert_delivery_unsettled;
CREATE INDEX alert_delivery_unsettled ON alert_delivery (at) WHERE state IN ('waiting', 'sent', 'unclear');
