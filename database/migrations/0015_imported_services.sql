-- Reservations from another system keep their old number.
ALTER TABLE rental_reservation ADD COLUMN old_number text NOT NULL DEFAULT '';
COMMENT ON COLUMN rental_reservation.old_number IS 'Number in the system that the reservation was imported from. Empty for other reservations.';
CREATE UNIQUE INDEX rental_reservation_old_number_once ON rental_reservation (company_id, old_number) WHERE old_number <> '';
SELECT make_found_view('rental_reservation');

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('rental_reservation', '', 'confirmed', 'import'),
  ('rental_reservation', '', 'requested', 'import_requested'),
  ('rental_reservation', '', 'held', 'import_held'),
  ('rental_reservation', '', 'completed', 'import_completed'),
  ('rental_reservation', '', 'no_show', 'import_missed'),
  ('rental_reservation', '', 'cancelled', 'import_cancelled');

-- Tables that imports may write. The ledger and the audit log are not among them.
CREATE FUNCTION importable_tables() RETURNS text[] LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public AS $$
  SELECT '{address,case_entry,case_follower,faq,faq_category,faq_synonym,field_set,field_set_version,form_number,form_round,
    form_submission,general_charge,guest_checkout,hydrant,invitation,issued_document,linked_account,meter_reading,parcel,
    parking_ticket,parking_violation,person,registration,rental_occupancy,rental_reservation,rental_resource,rental_space,
    request_category,request_number,scheduled_item,service_request,staff_role,status_history,street,utility_account,
    utility_adjustment,utility_bill,utility_shutoff,utility_update,work_order,work_order_number,zone,zone_ring}'::text[]
$$;

-- Parts of statements about the rows of a table. `t` is the table and `r` is import_row. Fails for tables that no import
-- may write.
CREATE OR REPLACE FUNCTION import_table(named text, OUT key text, OUT matches text, OUT copied text, OUT columns text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public AS $$
BEGIN
  IF NOT named = ANY (importable_tables()) THEN
    RAISE EXCEPTION 'an import may not write %', named;
  END IF;
  SELECT 'jsonb_build_object(' || string_agg(format('%L, t.%I', a.attname, a.attname), ', ' ORDER BY a.attnum) || ')',
    string_agg(format('t.%I = (r.row_key->>%L)::%s', a.attname, a.attname, format_type(a.atttypid, a.atttypmod)), ' AND ')
    INTO key, matches
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indrelid = format('public.%I', named)::regclass AND i.indisprimary AND a.attname <> 'company_id';
  SELECT string_agg(format('%I = b.%I', a.attname, a.attname), ', ') FILTER (WHERE a.attidentity <> 'a'),
    string_agg(quote_ident(a.attname), ', ')
    INTO copied, columns
    FROM pg_attribute a
    WHERE a.attrelid = format('public.%I', named)::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '';
END $$;
REVOKE ALL ON FUNCTION importable_tables() FROM PUBLIC;
