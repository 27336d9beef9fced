-- Which documents whoever moves is asked for: a lease, an identification.
ALTER TABLE moving_settings ADD COLUMN documents text NOT NULL DEFAULT '' CHECK (length(documents) <= 300);
COMMENT ON COLUMN moving_settings.documents IS 'said where files are attached: which ones the town wants to see; empty where it asks for none';
