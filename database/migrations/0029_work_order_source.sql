-- Several requests about the same problem have one work order.
CREATE TABLE work_order_source (
  company_id int NOT NULL,
  order_id bigint NOT NULL,
  source_kind text NOT NULL CHECK (source_kind ~ '^[a-z_]{2,30}$'),
  source_id bigint NOT NULL,
  PRIMARY KEY (company_id, source_kind, source_id, order_id),
  FOREIGN KEY (company_id, order_id) REFERENCES work_order
);
COMMENT ON TABLE work_order_source IS 'Further sources of a work order, in addition to the source that it was opened from.';
CREATE INDEX work_order_source_of_order ON work_order_source (company_id, order_id);
GRANT SELECT, INSERT ON work_order_source TO mainstreet_app, mainstreet_platform;
