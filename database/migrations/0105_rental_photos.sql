-- Photos of what is rented out: what each shows, for those who don't see it, and in which order they stand (features/rentals).

CREATE TABLE rental_photo (
  company_id int NOT NULL,
  file_id uuid NOT NULL,
  resource_id bigint NOT NULL,
  alt text NOT NULL DEFAULT '',
  position int NOT NULL,
  PRIMARY KEY (company_id, file_id),
  FOREIGN KEY (company_id, file_id) REFERENCES attachment (company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, resource_id) REFERENCES rental_resource
);
CREATE INDEX rental_photo_of_resource ON rental_photo (company_id, resource_id, position);
GRANT SELECT, INSERT, UPDATE, DELETE ON rental_photo TO mainstreet_app, mainstreet_platform;
