-- Staff correct lines of a previewed billing file without a new file.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES ('billing_file', 'previewed', 'previewing', 'correct');
