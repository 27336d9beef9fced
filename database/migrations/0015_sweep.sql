-- What has expired is swept away by a job of the platform: tickets, links, steps of signing in, old sessions.

CREATE INDEX session_by_expiry ON session (expires_at);
CREATE INDEX platform_session_by_expiry ON platform_session (expires_at);
CREATE INDEX account_link_by_expiry ON account_link (expires_at);
CREATE INDEX platform_account_link_by_expiry ON platform_account_link (expires_at);
CREATE INDEX download_ticket_by_expiry ON download_ticket (expires_at);
CREATE INDEX factor_step_by_expiry ON factor_step (expires_at);
CREATE INDEX sso_attempt_by_expiry ON sso_attempt (expires_at);
CREATE INDEX sso_pending_by_expiry ON sso_pending (expires_at);
CREATE INDEX ccs_hand_off_by_expiry ON ccs_hand_off (expires_at);
DROP INDEX download_ticket_by_age, factor_step_by_age, sso_attempt_over, sso_pending_over, ccs_hand_off_over;

GRANT DELETE ON session, platform_session, account_link TO mainstreet_platform;
