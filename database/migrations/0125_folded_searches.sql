-- Searches fold accents and apostrophes: O'Connor finds O’Connor, and Nunez finds Núñez. Each text is folded in the index and
-- in the condition, so that the stored texts stay as people wrote them.
CREATE FUNCTION folded(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- A text of ASCII alone, as most are, needs none of the slow parts.
  SELECT CASE WHEN octet_length(written) = char_length(written) THEN lower(translate(written, '''`', ''))
    ELSE lower(translate(
      replace(replace(replace(replace(replace(regexp_replace(normalize(written, NFD),
        -- Marks over and under letters, all kinds of apostrophes, and characters that nobody sees.
        '[\u0300-\u036F\u0027\u0060\u00B4\u00AD\u02B9-\u02BF\u02C8\u2018\u2019\u201B\u2032\u200B-\u200F\u202A-\u202E\u2060-\u2069\uA78C\uFEFF\uFF07]', '', 'g'),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'),
      'łŁøØđĐðÐħĦŧŦıɨ', 'lLoOdDdDhHtTii'))
  END
$$;
COMMENT ON FUNCTION folded(text) IS 'a text as searches compare it: lower case, without accents and apostrophes';

CREATE OR REPLACE FUNCTION like_part(wanted text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '%' || replace(replace(replace(folded(wanted), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

DROP INDEX payment_order_by_text;
CREATE INDEX payment_order_by_text ON payment_order USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX utility_account_by_text;
CREATE INDEX utility_account_by_text ON utility_account USING gin (company_id, folded(name_key) gin_trgm_ops, folded(service_address) gin_trgm_ops, folded(phone_no) gin_trgm_ops, folded(account_number) gin_trgm_ops);
DROP INDEX person_by_text;
CREATE INDEX person_by_text ON person USING gin (company_id, folded(name_key) gin_trgm_ops, folded(service_address) gin_trgm_ops, folded(email) gin_trgm_ops);
DROP INDEX company_by_text;
CREATE INDEX company_by_text ON company USING gin (folded(search_text) gin_trgm_ops, folded(name_key) gin_trgm_ops);
DROP INDEX form_template_by_text;
CREATE INDEX form_template_by_text ON form_template USING gin (folded(search_text) gin_trgm_ops);
DROP INDEX support_request_by_text;
CREATE INDEX support_request_by_text ON support_request USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX parcel_by_text;
CREATE INDEX parcel_by_text ON parcel USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX general_charge_found;
CREATE INDEX general_charge_found ON general_charge USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX autopay_by_text;
CREATE INDEX autopay_by_text ON autopay USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX parking_ticket_by_text;
CREATE INDEX parking_ticket_by_text ON parking_ticket USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX arrangement_by_text;
CREATE INDEX arrangement_by_text ON arrangement USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX lockbox_payment_by_text;
CREATE INDEX lockbox_payment_by_text ON lockbox_payment USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX service_request_by_text;
CREATE INDEX service_request_by_text ON service_request USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX work_plan_by_text;
CREATE INDEX work_plan_by_text ON work_plan USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX work_order_by_text;
CREATE INDEX work_order_by_text ON work_order USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX hydrant_by_text;
CREATE INDEX hydrant_by_text ON hydrant USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX premise_note_by_text;
CREATE INDEX premise_note_by_text ON premise_note USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX inspection_by_text;
CREATE INDEX inspection_by_text ON inspection USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX registration_by_text;
CREATE INDEX registration_by_text ON registration USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX form_submission_by_text;
CREATE INDEX form_submission_by_text ON form_submission USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX move_request_by_text;
CREATE INDEX move_request_by_text ON move_request USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX rental_reservation_by_text;
CREATE INDEX rental_reservation_by_text ON rental_reservation USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX payout_by_text;
CREATE INDEX payout_by_text ON payout USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX bank_line_by_text;
CREATE INDEX bank_line_by_text ON bank_line USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX recon_exception_by_text;
CREATE INDEX recon_exception_by_text ON recon_exception USING gin (company_id, folded(search_text) gin_trgm_ops);
DROP INDEX rental_application_by_text;
CREATE INDEX rental_application_by_text ON rental_application USING gin (company_id, folded(search_text) gin_trgm_ops);
