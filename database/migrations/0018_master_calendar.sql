-- The platform's calendar walks the scheduled items of all towns by time; what it counts stands in the index itself.

CREATE INDEX scheduled_item_over_towns ON scheduled_item (starts_at, company_id, id) INCLUDE (event_type_id, status);
