ALTER TABLE company_component ADD COLUMN is_locked int NOT NULL DEFAULT 0 CHECK (is_locked IN (0, 1));
COMMENT ON COLUMN company_component.is_locked IS '1 if only the platform may turn the module on or off.';
