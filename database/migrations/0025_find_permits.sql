-- The command bar finds licenses and permits by the name of their holder.
ALTER TABLE issued_document ADD search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(number || ' ' || holder || ' ' || title)) STORED;
CREATE INDEX issued_document_by_text ON issued_document USING gin (company_id, folded(search_text) gin_trgm_ops);
SELECT make_found_view('issued_document');
