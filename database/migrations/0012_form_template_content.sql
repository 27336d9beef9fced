-- Questions and settings of form templates. A form that a municipality makes from a template starts with them.

CREATE TABLE form_template_content (
  template_id bigint NOT NULL REFERENCES form_template ON DELETE CASCADE,
  version int NOT NULL CHECK (version >= 1),
  source text NOT NULL,
  definition jsonb NOT NULL,
  settings jsonb NOT NULL,
  PRIMARY KEY (template_id, version)
);
COMMENT ON TABLE form_template_content IS 'reference: Questions and settings of form templates, by version of the file.';
COMMENT ON COLUMN form_template_content.source IS 'Form of the starter pack that the questions come from.';
COMMENT ON COLUMN form_template_content.settings IS 'Settings of a form, other than title, text, department and reviewer.';
GRANT SELECT ON form_template_content TO mainstreet_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON form_template_content TO mainstreet_platform;
