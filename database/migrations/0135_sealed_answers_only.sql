-- An answer may hold a secret, such as the address of a calendar, so that no code keeps one unsealed (`server/secrets.ts`).
ALTER TABLE idempotency_key ADD CONSTRAINT kept_answer_is_sealed CHECK (kept_answer ~ '^[0-9a-f]{16}\.[\w-]+$');
