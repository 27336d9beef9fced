-- A caller reaches one company by a pay-by-phone number. The number belongs to the company as its subdomain does, and is unique.
ALTER TABLE company ADD COLUMN pay_by_phone_number text NOT NULL DEFAULT '' CHECK (pay_by_phone_number ~ '^([0-9]{10})?$');
COMMENT ON COLUMN company.pay_by_phone_number IS 'ten digits; empty: no payments by phone';

-- If several companies had the same number, the oldest keeps it.
UPDATE company c SET pay_by_phone_number = s.pay_by_phone_number FROM payment_settings s
WHERE s.company_id = c.id AND s.pay_by_phone_number ~ '^[0-9]{10}$' AND NOT EXISTS (
  SELECT FROM payment_settings o WHERE o.pay_by_phone_number = s.pay_by_phone_number AND o.company_id < s.company_id);
UPDATE payment_settings s SET has_pay_by_phone = 0 FROM company c
WHERE c.id = s.company_id AND s.has_pay_by_phone = 1 AND c.pay_by_phone_number = '';
CREATE UNIQUE INDEX company_pay_by_phone_once ON company (pay_by_phone_number) WHERE pay_by_phone_number <> '';
ALTER TABLE payment_settings DROP COLUMN pay_by_phone_number;
