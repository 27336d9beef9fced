import { sql } from 'kysely'
import { auditCompanies, auditPlatform } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, malformed, notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { plural, say } from '../../../shared/messages.ts'
import { assignForm } from '../contract.ts'
import { holdForm } from './form-states.ts'

/** Maximum number of companies named in the platform's audit log. Each company's own log always has the entry. */
const MAX_LISTED = 100

/**
 * Assigns a form to companies and removes it from others, in one transaction. One statement adds all new assignments,
 * and one removes the old ones. Other assignments stay unchanged.
 */
export const assignFormCall = implement(assignForm, async (call) => {
  const { context, body } = call
  const { templateId, everyone } = body
  const [add, remove] = [[...new Set(body.add)], [...new Set(body.remove)]]
  if (!everyone && add.length === 0 && remove.length === 0) throw malformed('Choose at least one company.')
  if (add.some((id) => remove.includes(id)) || (everyone && remove.length > 0))
    throw malformed('You cannot add and remove the same company in one step.')
  return context.acrossCompanies(async (tx) => {
    const form = await holdForm(tx, templateId)
    if (form.is_active === 0 && (everyone || add.length > 0))
      throw conflict('inactive', say`${form.title} is inactive. Activate it first.`)
    if (!everyone) await expectCompanies(tx, [...add, ...remove])
    const added = everyone || add.length > 0 ? await give(tx, call, templateId, everyone ? null : add) : []
    const removed = remove.length > 0 ? await take(tx, templateId, remove) : []
    await written(tx, call, form.title, added, removed)
    const message = say`${form.title}: ${plural(added.length, '# company', '# companies')} added, ${removed.length} removed.`
    return { success: true as const, message, added: added.length, removed: removed.length }
  })
})

/** @throws 404 if one of the ids is not a company */
async function expectCompanies(tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM company WHERE id = ANY(${ids}::int[])`.execute(tx)
  if (rows[0]?.n !== ids.length) throw notFound('One of these companies no longer exists. Choose the companies again.')
}

async function give(tx: Tx, call: Call, templateId: number, companies: readonly number[] | null): Promise<number[]> {
  const [now, me] = [call.context.clock.now(), signedIn(call).personId]
  const { rows } = await sql<{ company_id: number }>`
    INSERT INTO form_template_assignment (company_id, template_id, assigned_at, assigned_by)
    SELECT c.id, ${templateId}::bigint, ${now}::timestamptz, ${me}::bigint FROM company c
    ${companies === null ? sql`` : sql`WHERE c.id = ANY(${companies}::int[])`}
    ON CONFLICT DO NOTHING RETURNING company_id`.execute(tx)
  if (rows.length > 0)
    await tx
      .updateTable('form_template')
      .set({ first_assigned_at: now })
      .where('id', '=', templateId)
      .where('first_assigned_at', 'is', null)
      .execute()
  return rows.map((row) => row.company_id)
}

async function take(tx: Tx, templateId: number, companies: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    DELETE FROM form_template_assignment WHERE template_id = ${templateId} AND company_id = ANY(${companies}::int[])
    RETURNING company_id`.execute(tx)
  return rows.map((row) => row.company_id)
}

type AssignFormContext = Call<RequestOf<typeof assignForm>>

/** Writes one entry to the platform's audit log, and one to the log of each affected company. */
async function written(
  tx: Tx,
  call: AssignFormContext,
  title: string,
  added: readonly number[],
  removed: readonly number[],
) {
  if (added.length === 0 && removed.length === 0) return
  const { clock } = call.context
  const subject = { kind: 'form' as const, id: call.body.templateId }
  const named = (ids: readonly number[]) => ({ count: ids.length, companies: ids.slice(0, MAX_LISTED) })
  await auditPlatform(tx, clock, call, {
    action: 'form.assignments_saved',
    subject,
    detail: { title, added: named(added), removed: named(removed) },
  })
  await auditCompanies(tx, clock, added, call, { action: 'form.assigned', subject, detail: { title } })
  await auditCompanies(tx, clock, removed, call, { action: 'form.unassigned', subject, detail: { title } })
}
