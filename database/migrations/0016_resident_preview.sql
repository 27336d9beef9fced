-- A preview lets staff try the portal as a resident before it goes online. Its rows are noted like those of an import.

ALTER TABLE impersonation ADD COLUMN preview_import_id bigint;
COMMENT ON COLUMN impersonation.preview_import_id IS 'Record of the rows of a preview as a resident (data_import), deleted after 31 days. Null for other impersonations.';
CREATE INDEX impersonation_of_preview ON impersonation (company_id, preview_import_id) WHERE preview_import_id IS NOT NULL;

-- The last number of submissions behaves like the last numbers of requests and work orders: a higher number stays.
DO $$
DECLARE
  body text := pg_get_functiondef('undo_import(int, bigint)'::regprocedure);
  counters CONSTANT text := '{request_number,work_order_number}';
BEGIN
  ASSERT position(counters IN body) > 0;
  EXECUTE replace(body, counters, '{form_number,request_number,work_order_number}');
END $$;

-- Unseals the noted rows that this transaction changed again, so that the next seal stores their new hashes.
CREATE FUNCTION unseal_import_rows(of_company int, of_import bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  named text;
BEGIN
  PERFORM public.expect_own_company(of_company);
  FOR named IN SELECT DISTINCT r.table_name FROM public.import_row r WHERE r.company_id = of_company AND r.import_id = of_import LOOP
    EXECUTE format('UPDATE public.import_row r SET revision = '''' FROM public.%I t WHERE r.company_id = $1 AND r.import_id = $2 AND r.table_name = $3'
      ' AND t.company_id = r.company_id AND %s AND t.xmin = pg_current_xact_id()::xid', named, (import_table(named)).matches) USING of_company, of_import, named;
  END LOOP;
END $$;

-- Ends a preview: nobody refers to its resident any more, so that the undo can remove this person.
CREATE FUNCTION end_preview(of_company int, of_import bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  PERFORM public.expect_own_company(of_company);
  DELETE FROM public.session s USING public.impersonation i
    WHERE i.company_id = of_company AND i.preview_import_id = of_import AND s.company_id = i.company_id AND s.impersonation_id = i.id;
  UPDATE public.impersonation SET target_id = NULL, used_at = coalesce(used_at, created_at)
    WHERE company_id = of_company AND preview_import_id = of_import;
END $$;

-- Deletes what belongs to the rows of a preview and later jobs may change. Returns the paths of the files in the store.
CREATE FUNCTION remove_preview_leftovers(of_company int, of_import bigint) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  subjects text[] := ARRAY(SELECT unnest(CASE r.table_name WHEN 'service_request' THEN '{service_request,request}'::text[]
      WHEN 'form_submission' THEN '{form_submission,submission}' ELSE ARRAY[r.table_name] END) || ' ' || (r.row_key->>'id') FROM public.import_row r
    JOIN public.data_import d ON d.company_id = r.company_id AND d.id = r.import_id AND d.kind = 'preview'
    WHERE r.company_id = of_company AND r.import_id = of_import AND r.action = 'made' AND r.row_key ? 'id');
BEGIN
  PERFORM public.expect_own_company(of_company);
  DELETE FROM public.field_draft t WHERE t.company_id = of_company AND t.owner = ANY (subjects);
  DELETE FROM public.case_reader t USING unnest(subjects) s WHERE t.company_id = of_company
    AND t.subject_kind = split_part(s, ' ', 1) AND t.subject_id = split_part(s, ' ', 2)::bigint;
  DELETE FROM public.case_link t USING unnest(subjects) s WHERE t.company_id = of_company
    AND t.subject_kind = split_part(s, ' ', 1) AND t.subject_id = split_part(s, ' ', 2)::bigint;
  DELETE FROM public.case_notification t USING unnest(subjects) s WHERE t.company_id = of_company
    AND split_part(s, ' ', 1) = 'case_entry' AND t.entry_id = split_part(s, ' ', 2)::bigint;
  RETURN QUERY WITH removed AS (
    DELETE FROM public.attachment t USING unnest(subjects) s WHERE t.company_id = of_company
      AND t.subject_kind = split_part(s, ' ', 1) AND t.subject_id = split_part(s, ' ', 2)::bigint RETURNING t.path)
    SELECT r.path FROM removed r WHERE r.path IS NOT NULL;
END $$;

REVOKE ALL ON FUNCTION unseal_import_rows(int, bigint), end_preview(int, bigint), remove_preview_leftovers(int, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unseal_import_rows(int, bigint), end_preview(int, bigint), remove_preview_leftovers(int, bigint) TO mainstreet_app;
