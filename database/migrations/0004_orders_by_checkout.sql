-- A checkout's orders are looked for on every look at it, declined ones among them: the unique index leaves those out.
CREATE INDEX payment_order_by_checkout ON payment_order (company_id, checkout_id, id DESC) WHERE checkout_id IS NOT NULL;
