import { implement } from '../../../server/call.ts'
import { assignCase, UNASSIGNED, assignToCaller } from '../../../server/cases/assign.ts'
import { lockCase } from '../../../server/cases/entries.ts'
import { lockDepartment } from '../../../server/cases/staff-calls.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { readWorkingTime } from '../../../server/working-time.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/messages.ts'
import { closingAfter } from '../../../shared/working-time.ts'
import { changeCategory, changeStatus, markSpam } from '../contract-staff.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { requests, requestStateStore } from './case.ts'
import { chosenCategory } from './categories.ts'
import type { Request } from './row.ts'

/** Changes the status and notifies the requester. If staff start work, the request is assigned to them. */
export const changeStatusCall = implement(changeStatus, (call) => {
  const { context, company, body } = call
  const { subjectId, event, reason } = body
  return call.inCompany(async (tx) => {
    const { locked, message } = await transition(tx, requestStateStore, {
      scope: company.id,
      id: subjectId,
      event,
      actor: actorOf(call),
      reason,
      deps: { context, company },
    })
    if (event === 'start') await assignToCaller(tx, call, requests, locked.row)
    return { success: true as const, message }
  })
})

/**
 * Refuses a change of a closed request.
 * @throws 409 with the status if the request is closed
 */
export function expectOpen({ id, status }: Request): void {
  if (!requestStates.states[status].open)
    throw conflict('wrong_status', say`${numberOf(id)}: ${translated(requestStates.labels[status])}.`)
}

/** Returns the default assignee of a category: its department, or no one. */
export async function holderBy(tx: Tx, company: CompanyId, { department_id }: { department_id: number | null }) {
  if (department_id === null) return UNASSIGNED
  const department = await lockDepartment(tx, requests, company, department_id)
  return { assigned_to: null, department_id: department.id, name: department.name }
}

/**
 * Changes the category. The request then belongs to the department of the new category. The due date is recalculated
 * from the arrival date.
 */
export const changeCategoryCall = implement(changeCategory, (call) => {
  const { context, company, body } = call
  return call.inCompany(async (tx) => {
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    expectOpen(row)
    const number = numberOf(row.id)
    if (row.category_id !== body.from)
      throw conflict(
        'changed',
        say`Someone else moved ${number} to the category “${row.title}”. Review it, then try again.`,
      )
    const category = await chosenCategory(tx, company.id, Number(body.categoryId))
    if (category.id === row.category_id)
      throw rejected(say`${number} is already in the category “${category.name}”. Choose another category.`)
    const due_at = closingAfter(await readWorkingTime(tx, company), row.created_at, category.target_days)
    await tx
      .updateTable('service_request')
      .set({ category_id: category.id, title: category.name, due_at, updated_at: context.clock.now() })
      .where('company_id', '=', company.id)
      .where('id', '=', row.id)
      .execute()
    const to = await holderBy(tx, company.id, category)
    await assignCase(tx, call, requests, row, to)
    await call.audit(tx, {
      action: 'request.recategorized',
      subject: { kind: 'service_request', id: number },
      detail: { from: row.title, to: category.name },
    })
    return {
      success: true as const,
      message: to.name
        ? say`${number} was moved to the category “${category.name}” and assigned to ${to.name}.`
        : say`${number} was moved to the category “${category.name}”.`,
    }
  })
})

/**
 * Marks or unmarks a request as spam. Notifies no one, because a spammer must not learn that staff read the request.
 */
export const markSpamCall = implement(markSpam, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    const number = numberOf(row.id)
    if (row.is_spam === body.spam)
      return {
        success: true as const,
        message: body.spam ? say`${number} is already marked as spam.` : say`${number} is not marked as spam.`,
      }
    const event = body.spam ? 'spam' : 'not_spam'
    await transition(tx, requestStateStore, {
      scope: company.id,
      id: row.id,
      event,
      actor: actorOf(call),
      deps: { context, company },
    })
    return {
      success: true as const,
      message: body.spam
        ? say`${number} was marked as spam. No one was notified.`
        : say`${number} is no longer marked as spam. It is open again.`,
    }
  })
})
