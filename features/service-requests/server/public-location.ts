import { sql } from 'kysely'
import { requestStatus } from '../rules.ts'
import { litList } from '../../../server/list-sql.ts'

/**
 * SQL for the public address of request `r`, from the company's own address data. A typed location may contain personal
 * data, so only the requester and staff see it.
 */
export const publicAddress = sql`(
  SELECT concat_ws(' ', a.house_number, s.name) FROM address a
  JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
  WHERE a.company_id = r.company_id AND a.id = r.address_id)`

/** SQL condition that is true if request `r` appears on the public map. */
export const onPublicMap = sql`(r.status IN (${litList([requestStatus.new, requestStatus.inProgress, requestStatus.completed, requestStatus.reopened])}) AND NOT r.is_spam AND EXISTS (
  SELECT FROM request_category c WHERE c.company_id = r.company_id AND c.id = r.category_id AND c.on_map = 1))`
