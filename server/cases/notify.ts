import type { AppContext } from '../app-context.ts'
import { notify } from '../notices/notify.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import { canWorkOn, staffMembersOf, type StaffMember } from './staff-calls.ts'
import { findCase, NOTIFY } from './entries.ts'
import { caseKind, type CaseKind, type CaseRow } from './kinds.ts'
import { caseUpdateNotice } from './case-update-notice.ts'
import { watching } from './timeline.ts'

interface Entry {
  id: number
  kind: 'message' | 'reply' | 'note' | 'assignment'
  author_kind: string
  author_id: number | null
  author_name: string
  assigned_to: number | null
  department_id: number | null
}

/**
 * Defines the job that emails staff about a new entry after the commit. A guest's transaction can't email platform
 * staff, because it has only the company's permissions.
 */
export function defineNotifyJob(context: AppContext): void {
  context.jobs.define<{ company: number; entry: number }>(NOTIFY, async ({ company, entry }) => {
    const of = await context.acrossCompanies(async (tx) => {
      const caseEntry = await tx
        .selectFrom('case_entry')
        .select('subject_kind')
        .where(({ and }) => and({ company_id: company, id: entry }))
        .executeTakeFirst()
      return caseEntry && caseKind(caseEntry.subject_kind)
    })
    if (!of) return
    const work = (tx: Tx) => notifyOfEntry(tx, context, of, company, entry)
    await (of.calls.audience === 'platform'
      ? context.acrossCompanies(work)
      : context.inCompany(companyIdFrom('job', company), work))
  })
}

async function notifyOfEntry(
  tx: Tx,
  context: AppContext,
  of: CaseKind,
  company: number,
  entryId: number,
): Promise<void> {
  const first = await tx
    .insertInto('case_notification')
    .values({ company_id: company, entry_id: entryId, notified_at: context.clock.now() })
    .onConflict((on) => on.doNothing())
    .returning('entry_id')
    .executeTakeFirst()
  if (!first) return
  const entry = await tx
    .selectFrom('case_entry')
    .select(['id', 'kind', 'author_kind', 'author_id', 'author_name', 'assigned_to', 'department_id', 'subject_id'])
    .where(({ and }) => and({ company_id: company, id: entryId }))
    .executeTakeFirstOrThrow()
  const row = await findCase(tx, of, companyIdFrom('job', company), entry.subject_id)
  const companyRecord = await context.hosts.byId(company, tx)
  if (!companyRecord) throw new Error(`there is no company ${company}`)
  const isAuthor = ({ id }: StaffMember) => entry.author_kind === of.calls.audience && entry.author_id === id
  const recipients = (await concerned(tx, of, row, entry)).filter(
    (worker) => canWorkOn(of, worker) && !isAuthor(worker),
  )
  const updateData = {
    number: of.numberOf(row.id),
    company: companyRecord.name,
    kind: entry.kind,
    by: entry.author_name,
    toDepartment: entry.department_id !== null,
    path: of.staffPath(company, row.id),
  }
  const at = of.calls.audience === 'platform' ? null : companyRecord
  for (const { email } of recipients)
    await notify(tx, context, { at, to: email, notice: caseUpdateNotice, data: updateData })
}

/**
 * Returns the staff to notify of an entry. An assignment notifies the new assignee. A message or a note notifies the
 * current assignee and all watchers.
 */
async function concerned(tx: Tx, of: CaseKind, row: CaseRow, entry: Entry): Promise<StaffMember[]> {
  if (entry.kind === 'assignment') {
    if (entry.assigned_to !== null) return staffMembersOf(tx, of, row.company_id, { ids: [entry.assigned_to] })
    if (entry.department_id === null) return []
    return staffMembersOf(tx, of, row.company_id, { department: entry.department_id })
  }
  const watchers = await watching(tx, of, row).select('w.reader_id').execute()
  const ids = new Set(watchers.map(({ reader_id }) => reader_id))
  if (row.assigned_to !== null) ids.add(row.assigned_to)
  return ids.size === 0 ? [] : staffMembersOf(tx, of, row.company_id, { ids: [...ids] })
}
