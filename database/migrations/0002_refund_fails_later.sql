-- A bank can refuse a refund after the provider sent it. The refund then fails, although it was refunded before.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES ('refund', 'done', 'failed', 'fail');
