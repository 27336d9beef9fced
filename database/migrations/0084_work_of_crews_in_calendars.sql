-- What a crew has to do stands in the calendar of each of its members, who are not free meanwhile.
ALTER TABLE scheduled_item ADD COLUMN crew_id bigint, ADD FOREIGN KEY (company_id, crew_id) REFERENCES crew;
CREATE INDEX scheduled_item_of_crew ON scheduled_item (company_id, crew_id, starts_at) WHERE crew_id IS NOT NULL;

ALTER TABLE scheduled_item NO FORCE ROW LEVEL SECURITY;
ALTER TABLE work_order NO FORCE ROW LEVEL SECURITY;
UPDATE scheduled_item i SET crew_id = w.crew_id FROM work_order w
WHERE w.company_id = i.company_id AND w.item_id = i.id AND w.crew_id IS NOT NULL;
ALTER TABLE work_order FORCE ROW LEVEL SECURITY;
ALTER TABLE scheduled_item FORCE ROW LEVEL SECURITY;
