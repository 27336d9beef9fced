-- The check of the foreign key to a resident can't use an index of open items only. It read all items for each resident
-- that the undo of an import deletes.
DROP INDEX general_charge_by_resident;
CREATE INDEX general_charge_by_resident ON general_charge (company_id, person_id, status) WHERE person_id IS NOT NULL;
