-- The meter route of a utility account, as the billing system has it: alerts reach the accounts of a route (features/alerts).
ALTER TABLE utility_account ADD COLUMN route text COLLATE "C" NOT NULL DEFAULT '' CHECK (length(route) <= 20);
CREATE INDEX utility_account_by_route ON utility_account (company_id, route, id) WHERE route <> '';
