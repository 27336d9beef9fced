-- Who looked at a note for first responders is kept for seven years, and then swept away.
GRANT DELETE ON premise_look TO mainstreet_platform;
CREATE INDEX premise_look_by_time ON premise_look (at);
