-- Counts one try against several limits in one statement, in the order in which they are given. A limit of weight 0 is
-- only looked at. Answers a row for each limit up to the first that refuses: then `refused` is true, and the caller ends
-- the transaction, so that a refused try counts nowhere.
CREATE FUNCTION count_tries(
  now timestamptz, scopes text[], hashes bytea[], most int[], minutes int[], pauses bool[], weights int[]
) RETURNS TABLE (nth int, failures int, window_started_at timestamptz, blocked_until timestamptz, refused bool)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  kept failed_guess;
BEGIN
  FOR n IN 1 .. cardinality(scopes) LOOP
    IF weights[n] = 0 THEN
      SELECT * INTO kept FROM failed_guess g WHERE g.scope = scopes[n] AND g.key_hash = hashes[n];
      IF kept.blocked_until > now THEN
        RETURN QUERY SELECT n, kept.failures, kept.window_started_at::timestamptz, kept.blocked_until::timestamptz, true;
        RETURN;
      END IF;
      CONTINUE;
    END IF;
    INSERT INTO failed_guess AS g (scope, key_hash, failures, window_started_at, blocked_until)
    VALUES (scopes[n], hashes[n], weights[n], now, NULL)
    ON CONFLICT (scope, key_hash) DO UPDATE SET
      failures = CASE WHEN (CASE WHEN pauses[n] THEN g.window_started_at ELSE greatest(g.window_started_at, g.blocked_until) END)
        <= now - make_interval(mins => minutes[n]) THEN weights[n] ELSE g.failures + weights[n] END,
      window_started_at = CASE WHEN (CASE WHEN pauses[n] THEN g.window_started_at ELSE greatest(g.window_started_at, g.blocked_until) END)
        <= now - make_interval(mins => minutes[n]) THEN now ELSE g.window_started_at END,
      blocked_until = NULL
    -- PostgreSQL asks this of the row as the try before left it, and gives a blocked one not back.
    WHERE g.blocked_until IS NULL OR g.blocked_until <= now
    RETURNING g.* INTO kept;
    IF NOT FOUND THEN
      RETURN QUERY SELECT n, g.failures, g.window_started_at::timestamptz, g.blocked_until::timestamptz, true
        FROM failed_guess g WHERE g.scope = scopes[n] AND g.key_hash = hashes[n];
      RETURN;
    END IF;
    IF kept.failures >= most[n] THEN
      UPDATE failed_guess g SET blocked_until = CASE WHEN pauses[n]
        THEN kept.window_started_at + make_interval(mins => minutes[n])
        ELSE now + least(interval '1 hour', interval '1 minute' * power(2, least(kept.failures - most[n], 10))) END
      WHERE g.scope = scopes[n] AND g.key_hash = hashes[n] RETURNING * INTO kept;
    END IF;
    RETURN QUERY SELECT n, kept.failures, kept.window_started_at::timestamptz, kept.blocked_until::timestamptz, false;
  END LOOP;
END $$;
