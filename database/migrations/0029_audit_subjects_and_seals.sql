-- What a row of the audit log is about gets a kind beside its id, so that everything about one thing can be found; seals
-- say by which version of the hash they were made.

ALTER TABLE audit_event ADD COLUMN subject_kind text NOT NULL DEFAULT '';
ALTER TABLE platform_audit_event ADD COLUMN subject_kind text NOT NULL DEFAULT '';
COMMENT ON COLUMN audit_event.subject_kind IS 'what the subject is (shared/audit-actions.ts); empty where the row is about nothing but its doer';

-- The kind follows from the action. Version 1 of the seals does not cover it, so the old rows stay as they were sealed.
CREATE FUNCTION pg_temp.kind_of(action text, subject text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN subject = '' THEN ''
    WHEN action = 'payment.tested' THEN 'charge'
    WHEN action LIKE 'payment.%' THEN 'payment'
    WHEN action LIKE 'department.%' THEN 'department'
    WHEN action LIKE 'form.%' THEN 'form'
    WHEN action LIKE 'support.%' THEN 'support_request'
    WHEN action = 'company.config_saved' THEN 'settings'
    WHEN action IN ('company.created', 'sso.provider_saved', 'sso.billing_system_saved') THEN 'company'
    WHEN action = 'sso.tested' THEN 'issuer'
    WHEN action LIKE 'access.%' OR action LIKE 'view.%' OR action IN ('impersonation.call', 'impersonation.refused') THEN 'call'
    WHEN subject ~ '^[0-9]{1,15}$' THEN 'person'
    ELSE '' END
$$;
ALTER TABLE audit_event NO FORCE ROW LEVEL SECURITY;
UPDATE audit_event SET subject_kind = pg_temp.kind_of(action, subject) WHERE subject <> '';
ALTER TABLE audit_event FORCE ROW LEVEL SECURITY;
UPDATE platform_audit_event SET subject_kind = pg_temp.kind_of(action, subject) WHERE subject <> '';
DROP FUNCTION pg_temp.kind_of(text, text);

CREATE INDEX audit_event_about_subject ON audit_event (company_id, subject_kind, subject, at DESC, id DESC) WHERE subject <> '';
CREATE INDEX platform_audit_event_about_subject ON platform_audit_event (subject_kind, subject, at DESC, id DESC) WHERE subject <> '';

ALTER TABLE audit_seal ADD COLUMN version int NOT NULL DEFAULT 1;
ALTER TABLE audit_seal ALTER COLUMN version DROP DEFAULT;
ALTER TABLE platform_audit_seal ADD COLUMN version int NOT NULL DEFAULT 1;
ALTER TABLE platform_audit_seal ALTER COLUMN version DROP DEFAULT;
COMMENT ON COLUMN audit_seal.version IS 'how the hash was made (features/audit/server/chain.ts)';
