import { sql } from 'kysely'
import { may } from '../../../shared/privileges.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { same } from '../../../shared/edits.ts'
import { say } from '../../../shared/messages.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { returnCrew, saveCrew } from '../contract.ts'
import { atWorkOf } from './staff.ts'

interface CrewForm {
  name: string
  people: number[]
  active: boolean
}

const { find: findCrew, lock: lockCrew } = rowFinderById('crew', () => notFound('This crew was not found.'))

defineUnique({ index: 'crew_name_once', field: 'name', message: 'A crew with this name already exists.' })

const HAS_LEFT = 'One of these people no longer works here. Remove that person.'

interface Member {
  id: number
  name: string
}

/** Lists the members of a crew, ordered by person id. */
async function membersOf(tx: Tx, company: CompanyId, crewId: number): Promise<Member[]> {
  const { rows } = await sql<Member>`
    SELECT p.id, trim(p.first_name || ' ' || p.last_name) AS name
    FROM crew_member m JOIN person p ON p.company_id = m.company_id AND p.id = m.person_id
    WHERE m.company_id = ${company} AND m.crew_id = ${crewId} ORDER BY p.id`.execute(tx)
  return rows
}

/** SQL for the names of all members of crew `r`, as one string. */
export const namesOfCrew = sql<string>`coalesce((
  SELECT string_agg(trim(p.first_name || ' ' || p.last_name), ', ' ORDER BY p.last_name, p.id)
  FROM crew_member m JOIN person p ON p.company_id = m.company_id AND p.id = m.person_id
  WHERE m.company_id = r.company_id AND m.crew_id = r.id), '')`

export const returnCrewCall = implement(returnCrew, (call) =>
  call.reading(async (tx) => {
    const crew = await findCrew(tx, call.company.id, call.body.crewId)
    const members = await membersOf(tx, call.company.id, crew.id)
    return {
      id: crew.id,
      form: formOf(crew, members),
      names: members.map(({ name }) => name),
      can: { edit: may(signedIn(call).privileges, 'work_orders', 'update') },
    }
  }),
)

const formOf = (crew: { name: string; is_active: number }, members: readonly Member[]): CrewForm => ({
  name: crew.name,
  people: members.map(({ id }) => id),
  active: crew.is_active === 1,
})

export const saveCrewCall = implement(saveCrew, (call) => {
  const { companyId: _named, crewId, basis, ...sent } = call.body
  const { company } = call
  const own: CrewForm = { ...sent, people: sorted(sent.people) }
  return call.inCompany(async (tx) => {
    const crew = crewId === null ? null : await lockCrew(tx, company.id, crewId)
    const before = crew && formOf(crew, await membersOf(tx, company.id, crew.id))
    const edit = crew && editBy(tx, call, `crew ${crew.id}`)
    const after =
      before && edit
        ? await mergeEdit<CrewForm>(edit, {
            basis,
            own,
            now: { ...before },
            labelsOf: await labelsFor(tx, company.id),
          })
        : own
    after.people = sorted(after.people)
    const saved = { success: true as const, message: say`Crew “${after.name}” was saved.` }
    if (crew && same(before, after)) return { ...saved, crewId: crew.id }
    const joining = after.people.filter((id) => !before?.people.includes(id))
    if ((await atWorkOf(tx, company.id, joining)).length < joining.length)
      throw rejected(HAS_LEFT, { people: HAS_LEFT })
    const row = { name: after.name, is_active: after.active ? (1 as const) : (0 as const) }
    const id = crew?.id ?? (await addCrew(tx, company.id, row))
    if (crew) await changeRow(tx, 'crew', company.id, id, row)
    await sql`
      DELETE FROM crew_member WHERE company_id = ${company.id} AND crew_id = ${id}
        AND person_id <> ALL(${after.people}::bigint[])`.execute(tx)
    await sql`
      INSERT INTO crew_member (company_id, crew_id, person_id)
      SELECT ${company.id}::int, ${id}::bigint, joining.id FROM unnest(${joining}::bigint[]) AS joining (id)`.execute(
      tx,
    )
    if (before && edit) await recordChanges(edit, { ...before }, { ...after })
    await call.audit(tx, {
      action: crew ? 'work_crew.changed' : 'work_crew.made',
      subject: { kind: 'work_crew', id },
      detail: { ...(before && { before }), after },
    })
    return { ...saved, crewId: id }
  })
})

/** Loads the names of people, for messages about edit conflicts. */
async function labelsFor(tx: Tx, company: CompanyId) {
  const { rows } = await sql<Member>`
    SELECT id, trim(first_name || ' ' || last_name) AS name FROM person WHERE company_id = ${company} AND role_id >= 3`.execute(
    tx,
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const namesOf = (ids: unknown) => (ids as number[]).map((id) => names.get(id) ?? String(id)).join(', ')
  return (field: string, others: unknown, own: unknown) =>
    field === 'people' ? { label: say`People`, texts: { own: namesOf(own), others: namesOf(others) } } : {}
}

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b)

async function addCrew(tx: Tx, company: CompanyId, row: { name: string; is_active: 0 | 1 }): Promise<number> {
  const { id } = await tx
    .insertInto('crew')
    .values({ company_id: company, ...row })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
