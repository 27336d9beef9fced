import { sql } from 'kysely'
import { defineFieldPart } from '../../../server/field-parts.ts'
import { addPhotoAfter, addPhotoBefore, photosAfter, photosBefore } from '../contract.ts'
import type { Order } from './orders.ts'
import { saveOrderCall } from './save-order.ts'
import { detailsOfAll } from './show-order.ts'
import { addCostCall, addTaskCall, changeOrderStatusCall, orderToWorkOn, tickTaskCall } from './work.ts'

/** Maximum number of orders that a phone stores offline. */
const MAX_ORDERS = 60

/**
 * Registers work orders for offline work on site. The phone stores open orders in this sequence: orders of the person
 * and their crews, orders of their department, unassigned orders. Each group is in the order of start, or of due date
 * without a start.
 */
defineFieldPart({
  kind: 'order',
  calls: [changeOrderStatusCall, saveOrderCall, tickTaskCall, addTaskCall, addCostCall],
  photos: {
    [addPhotoBefore.path]: { use: photosBefore, expectOpen: orderToWorkOn },
    [addPhotoAfter.path]: { use: photosAfter, expectOpen: orderToWorkOn },
  },
  copy: async (tx, call, { personId, departmentId }) => {
    const isOwn = sql`(assigned_to IS NOT DISTINCT FROM ${personId}::bigint OR coalesce(crew_id = ANY (ARRAY(
      SELECT crew_id FROM crew_member WHERE company_id = ${call.company.id} AND person_id = ${personId})), false))`
    const { rows } = await sql<Order>`
      SELECT * FROM work_order WHERE company_id = ${call.company.id} AND is_open
        AND (${isOwn} OR department_id = ${departmentId} OR (assigned_to IS NULL AND crew_id IS NULL AND department_id IS NULL))
      ORDER BY ${isOwn} DESC, department_id IS NULL,
        coalesce(starts_at, due_on::timestamp AT TIME ZONE ${call.company.timeZone}) NULLS LAST, severity, id
      LIMIT ${MAX_ORDERS}`.execute(tx)
    const orders = await detailsOfAll(tx, call, rows)
    return orders.map((order) => ({ ...order, photos: order.photos.map((photo) => ({ ...photo, preview: null })) }))
  },
})
