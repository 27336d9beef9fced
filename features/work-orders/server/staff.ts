import { departmentsInUse, peopleAtWork, staffToChoose } from '../../../server/accounts/at-work.ts'
import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { workChoices } from '../contract.ts'

const activeCrews = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('crew').select(['id', 'name']).where('company_id', '=', company).where('is_active', '=', 1)

/** Lists the active crews by name. */
export const crewsInUse = (tx: Tx, company: CompanyId) => activeCrews(tx, company).orderBy('name').execute()

export const workChoicesCall = implement(workChoices, (call) => call.reading((tx) => choicesOf(tx, call.company.id)))

async function choicesOf(tx: Tx, company: CompanyId) {
  return { ...(await staffToChoose(tx, company)), crews: await crewsInUse(tx, company) }
}

const NOBODY = 'This person no longer works here. Choose someone else.'
const NO_CREW = 'This crew is no longer in use. Choose another one.'
const GONE = 'This department is no longer in use. Choose another one.'

interface Assignment {
  departmentId: number | null
  assignedTo: number | null
  crewId?: number | null
}

/**
 * Checks that people, departments and crews are active. Accepts unchanged assignees, even if they are no longer active.
 * @throws 422 if a new assignee is not active
 */
export async function expectAtWork(
  tx: Tx,
  company: CompanyId,
  assignment: Assignment,
  before?: Assignment,
): Promise<void> {
  const { departmentId, assignedTo, crewId = null } = assignment
  if (assignedTo !== null && assignedTo !== before?.assignedTo) {
    const person = await peopleAtWork(tx, company).where('id', '=', assignedTo).executeTakeFirst()
    if (!person) throw rejected(NOBODY, { assignedTo: NOBODY })
  }
  if (departmentId !== null && departmentId !== before?.departmentId) {
    const department = await departmentsInUse(tx, company).where('id', '=', departmentId).executeTakeFirst()
    if (!department) throw rejected(GONE, { departmentId: GONE })
  }
  if (crewId !== null && crewId !== before?.crewId) {
    const crew = await activeCrews(tx, company).where('id', '=', crewId).executeTakeFirst()
    if (!crew) throw rejected(NO_CREW, { crewId: NO_CREW })
  }
}

/** Selects the active people among these ids. */
export const atWorkOf = async (tx: Tx, company: CompanyId, ids: readonly number[]): Promise<number[]> =>
  ids.length === 0 ? [] : (await peopleAtWork(tx, company).where('id', 'in', ids).execute()).map(({ id }) => id)
