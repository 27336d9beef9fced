-- Staff see the saved replies in order of use, those of the category first.
ALTER TABLE saved_reply ADD COLUMN uses jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN saved_reply.uses IS 'Number of sent replies by group, such as the category of a request. The key is empty for cases without groups.';
