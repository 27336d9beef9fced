-- What parcels can be sorted by besides their numbers and addresses.
CREATE INDEX parcel_by_owner ON parcel (company_id, owner_name, id);
CREATE INDEX parcel_by_land_use ON parcel (company_id, land_use, id);
