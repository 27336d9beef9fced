-- Streets, addresses, parcels and zones of a municipality.

CREATE TABLE company_map (
  company_id int PRIMARY KEY REFERENCES company,
  origin_lat double precision NOT NULL CHECK ((origin_lat >= ('-85'::int)::double precision) AND (origin_lat <= (85)::double precision)),
  origin_lon double precision NOT NULL CHECK ((origin_lon >= ('-180'::int)::double precision) AND (origin_lon <= (180)::double precision)),
  file_id uuid,
  FOREIGN KEY (company_id, file_id) REFERENCES attachment
);
COMMENT ON TABLE company_map IS 'Background map of a company, and the origin of its coordinates in metres. The origin must never change.';
GRANT SELECT, INSERT, UPDATE ON company_map TO mainstreet_app;
GRANT SELECT ON company_map TO mainstreet_platform;

CREATE TABLE street (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  name_key text NOT NULL,
  lines jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name_key)
);
COMMENT ON TABLE street IS 'Street of a company''s gazetteer, imported from GeoJSON.';
COMMENT ON COLUMN street.lines IS 'Lines of [longitude, latitude] positions in degrees.';
CREATE INDEX street_by_text ON street USING gin (company_id, name_key gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE ON street TO mainstreet_app;
GRANT SELECT ON street TO mainstreet_platform;

CREATE TABLE address (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED ALWAYS AS IDENTITY,
  street_id bigint NOT NULL,
  house_number text NOT NULL,
  number int NOT NULL,
  unit text NOT NULL DEFAULT '',
  city text NOT NULL,
  state text NOT NULL,
  zipcode text NOT NULL,
  lat double precision NOT NULL,
  lon double precision NOT NULL,
  at point NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, street_id, number, house_number, unit, zipcode),
  FOREIGN KEY (company_id, street_id) REFERENCES street
);
COMMENT ON TABLE address IS 'Street addresses in a company, imported by staff. Used for the address search and to find coordinates.';
COMMENT ON COLUMN address.house_number IS 'House number as written, for example 12B.';
COMMENT ON COLUMN address.number IS 'Numeric part of house_number, for sorting.';
COMMENT ON COLUMN address.at IS 'Location in metres from the origin of the company''s map (company_map).';
CREATE INDEX address_by_location ON address USING gist (company_id, at);
GRANT SELECT, INSERT, UPDATE ON address TO mainstreet_app;
GRANT SELECT ON address TO mainstreet_platform;

CREATE TABLE parcel (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED ALWAYS AS IDENTITY,
  parcel_number text NOT NULL,
  number_key text NOT NULL,
  address text NOT NULL DEFAULT '',
  owner_name text NOT NULL DEFAULT '',
  land_use text NOT NULL DEFAULT '',
  lat double precision NOT NULL,
  lon double precision NOT NULL,
  at point NOT NULL,
  outline jsonb NOT NULL DEFAULT '[]',
  search_text text NOT NULL GENERATED ALWAYS AS (lower(((((((parcel_number || ' ') || number_key) || ' ') || address) || ' ') || owner_name))) STORED,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number_key)
);
COMMENT ON TABLE parcel IS 'Parcel of land, imported by the company.';
COMMENT ON COLUMN parcel.number_key IS 'Parcel number with only its letters and digits.';
COMMENT ON COLUMN parcel.at IS 'Location in metres from the company''s map origin.';
CREATE INDEX parcel_by_address ON parcel (company_id, address, id);
CREATE INDEX parcel_by_land_use ON parcel (company_id, land_use, id);
CREATE INDEX parcel_by_location ON parcel USING gist (company_id, at);
CREATE INDEX parcel_by_number ON parcel (company_id, parcel_number, id);
CREATE INDEX parcel_by_owner ON parcel (company_id, owner_name, id);
CREATE INDEX parcel_by_text ON parcel USING gin (company_id, folded(search_text) gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE ON parcel TO mainstreet_app;
GRANT SELECT ON parcel TO mainstreet_platform;

CREATE TABLE zone (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  outline jsonb NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name_key)
);
COMMENT ON TABLE zone IS 'Named area of a company, such as a ward or flood zone, imported from GeoJSON.';
COMMENT ON COLUMN zone.outline IS 'Polygons of the zone. Each polygon is a list of rings of [longitude, latitude] positions in degrees.';
GRANT SELECT, INSERT, UPDATE ON zone TO mainstreet_app;
GRANT SELECT ON zone TO mainstreet_platform;

CREATE TABLE zone_ring (
  company_id int NOT NULL,
  zone_id bigint NOT NULL,
  part int NOT NULL,
  ring int NOT NULL,
  shape polygon NOT NULL,
  PRIMARY KEY (company_id, zone_id, part, ring),
  FOREIGN KEY (company_id, zone_id) REFERENCES zone ON DELETE CASCADE
);
COMMENT ON TABLE zone_ring IS 'Rings of each zone, for searches by location.';
COMMENT ON COLUMN zone_ring.part IS 'Index of the polygon in zone.outline.';
COMMENT ON COLUMN zone_ring.ring IS '0 for the outer border of the polygon, 1 and higher for holes.';
COMMENT ON COLUMN zone_ring.shape IS 'Ring in metres from the company''s map origin.';
GRANT SELECT, INSERT, DELETE ON zone_ring TO mainstreet_app;
GRANT SELECT ON zone_ring TO mainstreet_platform;

SELECT make_found_view('street');

SELECT make_found_view('address');

SELECT make_found_view('parcel');
