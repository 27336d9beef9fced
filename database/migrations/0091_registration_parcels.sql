-- Where a town wants it, businesses and rental properties are registered at addresses of its parcels alone.
ALTER TABLE registration_settings ADD COLUMN on_parcel boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN registration_settings.on_parcel IS 'a business or a rental property has to stand on a parcel of the town''s list';
