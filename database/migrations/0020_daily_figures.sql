-- What happened in each town on each of its days, counted by a job, and the same added up over all towns, so that a
-- look at a year reads neither the payments of a year nor a row of every town.

CREATE TABLE daily_figure (
  company_id int NOT NULL REFERENCES company,
  day date NOT NULL,
  measure text NOT NULL,
  part text NOT NULL,
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (company_id, day, measure, part)
);
COMMENT ON TABLE daily_figure IS 'counts of a town by its own days (features/analytics)';

CREATE TABLE platform_daily_figure (
  day date NOT NULL,
  measure text NOT NULL,
  part text NOT NULL,
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (day, measure, part)
);
COMMENT ON TABLE platform_daily_figure IS 'local: the towns'' daily figures, added up';

-- How far a town is counted: `through` is the last day that was looked at, `looked_at` when that was.
CREATE TABLE figure_progress (
  company_id int NOT NULL REFERENCES company,
  through date NOT NULL,
  looked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id)
);

-- The last walk that came by every town, and the day that all of them had reached by then.
CREATE TABLE figure_walk (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  began_at timestamptz(3) NOT NULL,
  through date NOT NULL
);
COMMENT ON TABLE figure_walk IS 'local: when the daily figures were last brought up to date';

-- What is counted by the day is found by the day.
CREATE INDEX order_status_history_troubles ON order_status_history (company_id, at) INCLUDE (event)
  WHERE event IN ('declined', 'returned');
CREATE INDEX payment_alert_by_time ON payment_alert (company_id, at);
CREATE INDEX mail_outbox_unsent ON mail_outbox (company_id, created_at) WHERE sent_at IS NULL AND last_error IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON daily_figure TO mainstreet_app, mainstreet_platform;
GRANT SELECT, INSERT, UPDATE ON figure_progress, platform_daily_figure, figure_walk TO mainstreet_app, mainstreet_platform;
