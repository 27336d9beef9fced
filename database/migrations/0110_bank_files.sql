-- The third payment provider: files of the ACH network (docs/bank-files.md).
INSERT INTO processor (id, name, provider) VALUES (3, 'Bank file', 'bankfile');
