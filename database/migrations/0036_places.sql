-- The gazetteer of a town: its streets, addresses, parcels and zones. Positions stand in degrees, as maps have them, and in
-- metres east and north of the town's origin, in which PostgreSQL's geometry is exact: in degrees its tolerance is wider
-- than a house.

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE town_map (
  company_id int PRIMARY KEY REFERENCES company (id),
  origin_lat double precision NOT NULL CHECK (origin_lat BETWEEN -85 AND 85),
  origin_lon double precision NOT NULL CHECK (origin_lon BETWEEN -180 AND 180),
  -- The map that lies under streets and zones: one PMTiles file of the town's own.
  file_id uuid,
  file_name text NOT NULL DEFAULT '',
  FOREIGN KEY (company_id, file_id) REFERENCES stored_file (company_id, id)
);
COMMENT ON TABLE town_map IS 'from where a town''s metres are measured, which never changes, and the map beneath';

CREATE TABLE street (
  company_id int NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  -- In lower case and with one spelling of each abbreviation (server/places/words.ts).
  name_key text NOT NULL,
  -- As GeoJSON has them: lines of [longitude, latitude].
  lines jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name_key)
);
CREATE INDEX street_by_text ON street USING gin (company_id, name_key gin_trgm_ops);

CREATE TABLE address (
  company_id int NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  street_id bigint NOT NULL,
  -- The house number as it is written, '12B', and what it is sorted by.
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
  FOREIGN KEY (company_id, street_id) REFERENCES street (company_id, id)
);
CREATE INDEX address_by_place ON address USING gist (company_id, at);

CREATE TABLE parcel (
  company_id int NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  parcel_number text NOT NULL,
  -- Letters and digits alone, so that '12-034' and '12 034' are one parcel.
  number_key text NOT NULL,
  address text NOT NULL DEFAULT '',
  owner_name text NOT NULL DEFAULT '',
  land_use text NOT NULL DEFAULT '',
  lat double precision NOT NULL,
  lon double precision NOT NULL,
  at point NOT NULL,
  -- Its border as GeoJSON has it: polygons of rings of [longitude, latitude]; empty where the file had a point alone.
  outline jsonb NOT NULL DEFAULT '[]',
  search_text text NOT NULL GENERATED ALWAYS AS (lower(parcel_number || ' ' || number_key || ' ' || address || ' ' || owner_name)) STORED,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number_key)
);
CREATE INDEX parcel_by_text ON parcel USING gin (company_id, search_text gin_trgm_ops);
CREATE INDEX parcel_by_number ON parcel (company_id, parcel_number, id);
CREATE INDEX parcel_by_address ON parcel (company_id, address, id);

CREATE TABLE zone (
  company_id int NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  outline jsonb NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name_key)
);

-- The rings of a zone in metres. A place is in the zone where it is in the border (ring 0) of one of its parts and in none
-- of the holes of that part.
CREATE TABLE zone_ring (
  company_id int NOT NULL,
  zone_id bigint NOT NULL,
  part int NOT NULL,
  ring int NOT NULL,
  shape polygon NOT NULL,
  PRIMARY KEY (company_id, zone_id, part, ring),
  FOREIGN KEY (company_id, zone_id) REFERENCES zone (company_id, id) ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE ON town_map, street, address, parcel, zone TO mainstreet_app;
GRANT SELECT, INSERT, DELETE ON zone_ring TO mainstreet_app;
GRANT SELECT ON town_map, street, address, parcel, zone, zone_ring TO mainstreet_platform;

-- Searches read these, as those of the other lists do; nearest addresses too, since distances are not leakproof either.
CREATE VIEW found_street AS
SELECT * FROM street WHERE company_id = nullif(current_setting('app.company_id', true), '')::int;
CREATE VIEW found_address AS
SELECT * FROM address WHERE company_id = nullif(current_setting('app.company_id', true), '')::int;
CREATE VIEW found_parcel AS
SELECT * FROM parcel WHERE company_id = nullif(current_setting('app.company_id', true), '')::int;

GRANT SELECT ON street, address, parcel TO mainstreet_search;
GRANT CREATE ON SCHEMA public TO mainstreet_search;
ALTER VIEW found_street OWNER TO mainstreet_search;
ALTER VIEW found_address OWNER TO mainstreet_search;
ALTER VIEW found_parcel OWNER TO mainstreet_search;
REVOKE CREATE ON SCHEMA public FROM mainstreet_search;
GRANT SELECT ON found_street, found_address, found_parcel TO mainstreet_app;
