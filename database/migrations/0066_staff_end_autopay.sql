-- Staff pause or end AutoPay of a resident, with a reason.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('autopay', 'active', 'paused', 'halt'),
  ('autopay', 'active', 'ended', 'stop'),
  ('autopay', 'paused', 'ended', 'stop');
