-- What parcels can be sorted by besides their numbers and addresses.
CREATE INDEX parcel_by_owner ON parcel (company_id, owner_name, id);
CREATE INDEX parcel_by_land_use ON parcel (company_id, land_use, id);
-- The library of forms, by each column that a reader sorts by.
CREATE INDEX form_template_in_category ON form_template (category, id);
CREATE INDEX form_template_of_status ON form_template (is_active, id);
CREATE INDEX form_template_by_version ON form_template (current_version, id);
