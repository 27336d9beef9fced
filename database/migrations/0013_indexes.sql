-- Get Started reads the newest bill and the newest balance.
CREATE INDEX utility_bill_by_day ON utility_bill (company_id, bill_date);
CREATE INDEX utility_account_by_balance ON utility_account (company_id, balance_on) WHERE balance_on IS NOT NULL;

-- The deletion of expired imports.
CREATE INDEX data_import_expired ON data_import (imported_at);
