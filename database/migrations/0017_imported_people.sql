-- Residents from another system have an account without a password.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES ('account', '', 'invited', 'import');
