-- More of what people rent from the town (features/rentals).

-- What came in and went back in a period, by the day on which it moved.
CREATE INDEX rental_settlement_by_time ON rental_settlement (company_id, at);
