import { type RawBuilder, sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import { type Call, type Implemented, implement, signedIn } from '../../../server/call.ts'
import { isText, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, countUpTo, hasWords, walkOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { AnswerOf, BodyOf } from '../../../shared/endpoint.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { hasFactors } from '../../factors/server/reset-factors.ts'
import { statusOf, statusSql } from '../../identity/server/account-states.ts'
import { accountStates } from '../../identity/states.ts'
import { municipalityUsers, type StaffCalls, townStaff } from '../contract.ts'
import { differing, effective, readsSupport } from '../rules.ts'
import { outOfReach } from './guards.ts'
import { doorAt } from './reset-factors.ts'
import { type Actor, findMember, type Member, memberColumns, membersOf, type Roster } from './roster.ts'

export type StaffQuestion = BodyOf<typeof townStaff.list>
type Row = AnswerOf<typeof townStaff.list>['rows'][number]
type RosterOf = (call: Call) => Roster

/** The conditions of a list; the company's comes first. */
export function staffConditions(roster: Roster, { search, filters }: StaffQuestion): RawBuilder<unknown> {
  const conditions = [roster.own('p')]
  if (filters.status) conditions.push(sql`${statusSql} = ${filters.status}`)
  if (filters.departmentId) conditions.push(sql`p.department_id = ${filters.departmentId}`)
  if (search) conditions.push(hasWords(sql`lower(concat_ws(' ', p.first_name, p.last_name, p.email, d.name))`, search))
  return allOf(conditions)
}

export const listStaff = (calls: StaffCalls, rosterOf: RosterOf): Implemented =>
  implement(calls.list, (call) => {
    const roster = rosterOf(call)
    return roster.within(async (tx) => {
      const page = await onePage(tx, roster, call.body)
      const count = await countOf(tx, roster, call.body)
      const actor = actorOf(call)
      return { ...page, rows: page.rows.map((row) => rowOf(row, roster, actor)), count, totals: null }
    })
  })

/** Who asks, as their session has it: what this tells a screen is judged again on every change. */
function actorOf(call: Call): Actor {
  const { personId, roleId, privileges } = signedIn(call)
  return { id: personId, roleId, privileges }
}

async function onePage(tx: Tx, roster: Roster, question: StaffQuestion) {
  const at = readCursor(question.cursor, isText)
  const { way, beyond } = walkOf(question.direction, at)
  const column = sql`p.last_name COLLATE "C"`
  const after = at ? sql`AND (${column}, p.id) ${beyond} (${at.key}, ${at.id})` : sql``
  const { rows } = await sql<Member>`
    SELECT ${memberColumns} FROM ${membersOf(roster)} WHERE ${staffConditions(roster, question)} ${after}
    ORDER BY ${column} ${way}, p.id ${way} LIMIT ${question.pageSize + 1}`.execute(tx)
  return pageOf(rows, at, question.pageSize, (row) => row.last_name)
}

const countOf = (tx: Tx, roster: Roster, question: StaffQuestion): Promise<number> =>
  countUpTo(tx, sql`SELECT 1 FROM ${membersOf(roster)} WHERE ${staffConditions(roster, question)}`)

/** What can be done about somebody's account: nothing where it is out of the actor's reach. */
const stepsFor = (member: Member, roster: Roster, actor: Actor) =>
  buttonsFrom(accountStates, statusOf(member), {
    as: 'staff',
    privileges: outOfReach(actor, member, roster) === '' ? actor.privileges : {},
  })

function rowOf(member: Member, roster: Roster, actor: Actor): Row {
  const within = outOfReach(actor, member, roster) === ''
  const status = statusOf(member)
  return {
    id: member.id,
    firstName: member.first_name,
    lastName: member.last_name,
    email: member.email,
    roleId: member.role_id,
    role: roster.roles[member.role_id] ?? '',
    position: member.position,
    departmentId: member.department_id,
    department: member.department ?? '',
    status,
    lastSignIn: member.signed_in_at?.toISOString() ?? null,
    differs: Object.keys(differing(member.role_id, effective(member.role_id, member.privileges))).length,
    can: {
      view: true,
      edit: within && may(actor.privileges, 'user_management', 'update'),
      activate: stepsFor(member, roster, actor).activate,
      assign:
        roster.place === PLATFORM &&
        status === 'active' &&
        readsSupport(member) &&
        may(actor.privileges, 'chat', 'update'),
    },
  }
}

export const showMember = (calls: StaffCalls, rosterOf: RosterOf): Implemented =>
  implement(calls.member, (call) => {
    const roster = rosterOf(call)
    return roster.within(async (tx) => {
      const member = await findMember(tx, roster, call.body.personId)
      const { rows } = await sql<{ expires_at: Date }>`
        SELECT i.expires_at FROM ${roster.invitations} i
        WHERE ${roster.own('i')} AND i.person_id = ${member.id} AND i.used_at IS NULL AND i.expires_at > ${call.house.clock.now()}
        ORDER BY i.expires_at DESC LIMIT 1`.execute(tx)
      const actor = actorOf(call)
      const why = outOfReach(actor, member, roster)
      const allowed = (right: 'create' | 'update') => why === '' && may(actor.privileges, 'user_management', right)
      return {
        person: rowOf(member, roster, actor),
        privileges: { ...effective(member.role_id, member.privileges) } as Record<string, number>,
        invitedUntil: rows[0]?.expires_at.toISOString() ?? null,
        can: {
          edit: allowed('update'),
          ...stepsFor(member, roster, actor),
          privileges: allowed('update'),
          inviteAgain: allowed('create') && statusOf(member) === 'invited',
          resetFactors: allowed('update') && (await hasFactors(tx, call.house, doorAt(call, roster), member.id)),
        },
        why,
      }
    })
  })

export const municipalityUsersCall = implement(municipalityUsers, (call) =>
  call.inCompany(async (tx) => {
    const users = await tx
      .selectFrom('person')
      .select(['id', 'first_name', 'last_name'])
      .where('company_id', '=', call.company.id)
      .where('role_id', '>=', 3)
      .where('is_active', '=', 1)
      .orderBy('last_name')
      .orderBy('id')
      .limit(1000)
      .execute()
    return { users }
  }),
)
