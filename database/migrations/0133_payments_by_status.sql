-- Payments that are not successful are few. The totals of a status add them up along this index.
CREATE INDEX payment_order_of_status ON payment_order (company_id, status, created_at DESC, id DESC) WHERE status <> 1;
