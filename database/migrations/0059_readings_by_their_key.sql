-- Readings of an account are found by the key alone: with ten years of them by the month it reads 7 blocks where this index
-- read 55, and each reading that comes in is written to one index less.
DROP INDEX meter_read_by_date;
