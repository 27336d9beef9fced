-- A resident closes an account of their own. The office can activate it again.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES ('account', 'active', 'inactive', 'close');
