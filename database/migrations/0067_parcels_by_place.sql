-- The parcels of a zone are found by where they are, and the accounts of a property by the beginning of their address.
CREATE INDEX parcel_by_place ON parcel USING gist (company_id, at);
CREATE INDEX utility_account_by_address ON utility_account (company_id, (lower(service_address) COLLATE "C"));
