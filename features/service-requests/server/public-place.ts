import { sql } from 'kysely'

/**
 * The place of `r`, a request, as others may read it: an address of the town by the town's own words. What somebody typed
 * may hold anything, a name or a telephone number, and stays between them and the staff.
 */
export const shownAs = sql`(
  SELECT concat_ws(' ', a.house_number, s.name) FROM address a
  JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
  WHERE a.company_id = r.company_id AND a.id = r.address_id)`

/** `r`, a request, stands on the public map, where the town has one. */
export const onPublicMap = sql`(r.status IN (0, 1, 2, 3) AND NOT r.is_spam AND EXISTS (
  SELECT FROM request_category c WHERE c.company_id = r.company_id AND c.id = r.category_id AND c.on_map = 1))`
