-- A search of one or two letters finds companies whose folded name begins so; an index of parts needs three letters.
CREATE INDEX company_by_folded_name ON company (folded(name_key) COLLATE "C", name_key, id);
