import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { may } from '../../../shared/privileges.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notAllowed } from '../../../server/errors.ts'
import { announce } from '../../../server/live.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import { type WorkOrderDetails, openOrder, saveOrder } from '../contract.ts'
import { resolveAsset } from './assets.ts'
import { refuseLongAgo, timesOf } from './days.ts'
import { updateCalendarItem } from './in-calendar.ts'
import { openWorkOrder } from './open-work-order.ts'
import { notifyAssigned } from './notify-assigned.ts'
import { findOrder, lockOrder, type Order } from './orders.ts'
import { partsLabels } from './parts.ts'
import { createPlan } from './plans.ts'
import { expectAtWork } from './staff.ts'
import { locationFromRow, locationColumns } from '../../../server/places/stored-location.ts'

const MAY_NOT_REPEAT = 'You may open work orders, but not maintenance plans. Clear “Repeat”.'

/** Opens an order that staff enter manually. With `repeat`, also saves a maintenance plan for the next orders. */
export const openOrderCall = implement(openOrder, (call) => {
  const { companyId: _named, dueOn, crewId = null, parts = [], ...sent } = call.body
  const { startsOn, startTime, minutes, repeat, repeats, leadDays, ...order } = sent
  const { company } = call
  refuseLongAgo(call, 'dueOn', dueOn)
  refuseLongAgo(call, 'startsOn', startsOn)
  if (repeat && !may(signedIn(call).privileges, 'work_orders', 'update'))
    throw notAllowed(MAY_NOT_REPEAT, { repeat: MAY_NOT_REPEAT })
  return call.once(async (tx) => {
    await expectAtWork(tx, company.id, { ...order, crewId })
    const { assetName: _asset, checklist, ...planned } = order
    const day = startsOn || dueOn
    const plan = repeat && {
      id: await createPlan(
        tx,
        call,
        {
          ...{ ...planned, crewId, parts, checklist: checklist.join('\n'), repeats, leadDays, minutes, startTime },
          ...{ startsOn: day, active: true },
        },
        'repeats.until',
      ),
      day,
    }
    const schedule = timesOf(company, startsOn, startTime, minutes)
    const made = await openWorkOrder(
      tx,
      call,
      {
        ...order,
        crewId,
        parts,
        dueOn: dueOn || null,
        schedule,
        ...(await resolveAsset(tx, company.id, order)),
        source: null,
        fileIds: [],
      },
      plan || undefined,
    )
    const opened = schedule
      ? say`Work order ${made.number} was opened and scheduled for ${formatInstant(schedule.startsAt, company.timeZone)}.`
      : say`Work order ${made.number} was opened.`
    return {
      success: true as const,
      message: plan ? say`${opened} A maintenance plan opens the next work orders.` : opened,
      orderId: made.id,
      number: made.number,
    }
  })
})

/** Changes the details of an order. State, schedule, costs and checklist have separate calls. */
export const saveOrderCall = implement(saveOrder, (call) => {
  const { companyId: _named, orderId, basis, ...sent } = call.body
  const { context, company } = call
  return call.once(async (tx) => {
    const order = await lockOrder(tx, company.id, orderId)
    const before = orderDetailsOf(order)
    const own = {
      ...sent,
      crewId: sent.crewId === undefined ? before.crewId : sent.crewId,
      parts: sent.parts ?? before.parts,
    }
    const edit = editBy(tx, call, `work_order ${order.id}`)
    const { after, isChanged } = await applyEdit<WorkOrderDetails>(edit, { basis, own, before, labelsOf: partsLabels })
    if (isChanged) {
      if (after.dueOn !== before.dueOn) refuseLongAgo(call, 'dueOn', after.dueOn)
      await expectAtWork(tx, company.id, after, before)
      // If the asset name is unchanged, the order stays linked to its asset, even if the asset now has another name.
      const hasNewAssetName = after.assetName !== before.assetName
      const { asset, location } = hasNewAssetName
        ? await resolveAsset(tx, company.id, after)
        : { asset: null, location: await resolveLocation(tx, company.id, after.location) }
      await tx
        .updateTable('work_order')
        .set({
          title: after.title,
          description: after.description,
          kind: after.kind,
          severity: after.severity,
          ...locationColumns(location),
          asset_name: after.assetName,
          ...(hasNewAssetName && { asset_kind: asset?.kind ?? null, asset_id: asset?.id ?? null }),
          due_on: after.dueOn || null,
          department_id: after.departmentId,
          assigned_to: after.assignedTo,
          crew_id: after.crewId,
          parts: JSON.stringify(after.parts),
        })
        .where('company_id', '=', company.id)
        .where('id', '=', order.id)
        .execute()
      await call.audit(tx, {
        action: 'work_order.changed',
        subject: { kind: 'work_order', id: order.number },
        detail: { before: auditDetailsOf(before), after: auditDetailsOf(after) },
      })
      await updateCalendarItem(tx, context, company.id, order.id)
      await notifyAssigned(tx, context, company, {
        order: await findOrder(tx, company.id, order.id),
        before: order,
        by: signedIn(call).personId,
      })
      await announce(tx, company.id, { topic: 'work-orders', id: order.id })
    }
    return { success: true as const, message: say`Work order ${order.number} was saved.` }
  })
})

const auditDetailsOf = ({ location, ...details }: WorkOrderDetails) => ({ ...details, location: location.text })

/** Converts the details of an order to form values. */
export const orderDetailsOf = (order: Order): WorkOrderDetails => ({
  title: order.title,
  description: order.description,
  kind: order.kind,
  severity: order.severity,
  location: locationFromRow(order),
  assetName: order.asset_name,
  dueOn: order.due_on ?? '',
  departmentId: order.department_id,
  assignedTo: order.assigned_to,
  crewId: order.crew_id,
  parts: order.parts,
})
