-- A mail names what is attached instead of holding it; so far all attachments were receipts, named by their order.
ALTER TABLE mail_outbox NO FORCE ROW LEVEL SECURITY;
UPDATE mail_outbox SET attachments = (
  SELECT jsonb_agg(jsonb_build_object(
    'filename', file ->> 'filename', 'contentType', file ->> 'contentType',
    'drawnBy', 'payments.receipt', 'of', substring(file ->> 'filename' FROM '\d+')::bigint))
  FROM jsonb_array_elements(attachments) AS file)
WHERE attachments <> '[]';
ALTER TABLE mail_outbox FORCE ROW LEVEL SECURITY;
