import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { loadHistory, transition, actorOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { staffApplication, groupApplication, transitionApplication } from '../contract.ts'
import { applications as applicationList, rounds as roundList } from '../list.ts'
import { applicationStates } from '../states.ts'
import { applicationStateStore } from './application-states.ts'
import { choiceViews } from './round-choices.ts'
import { findApplication, findRound, lockedApplication, lockApplication, lockRound } from './rounds.ts'

const roundLists = implementList(roundList, {
  table: sql`rental_round`,
  columns: {
    name: 'name',
    status: 'status',
    seasonFrom: 'season_from',
    seasonUntil: 'season_until',
    opensAt: 'opens_at',
    closesAt: 'closes_at',
    applications: sql`(SELECT count(*)::int FROM rental_application a WHERE a.company_id = r.company_id AND a.round_id = r.id
      AND a.status IN ('submitted', 'allocated', 'not_allocated'))`,
  },
  filters: { status: (status) => sql`r.status = ${status}` },
  unindexed: { status: 'A municipality has only a few rounds a year.' },
  row: () => ({ can: { view: true } }),
})

const applicationLists = implementList(applicationList, {
  table: sql`found_rental_application`,
  joins: sql`JOIN rental_round o ON o.company_id = r.company_id AND o.id = r.round_id`,
  columns: {
    number: 'number',
    name: 'name',
    club: 'club',
    status: 'status',
    group: sql`coalesce(o.groups->>(r.group_no - 1), '')`,
    rankedChoices: sql`(SELECT count(*)::int FROM rental_choice w WHERE w.company_id = r.company_id AND w.application_id = r.id)`,
    purpose: 'purpose',
    email: 'email',
    phone: 'phone',
    createdAt: 'created_at',
  },
  filters: {
    status: (status) => sql`r.status = ${status}`,
    round: (id) => sql`r.round_id = ${id}`,
  },
  unindexed: { status: 'A municipality has only a few hundred applications a year.' },
  search: sql`r.search_text`,
  row: () => ({ can: { view: true } }),
  exported: 'export.rental_applications',
})

const showCall = implement(staffApplication, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { privileges } = signedIn(call)
    const row = await findApplication(tx, company.id, body.applicationId)
    const round = await findRound(tx, company.id, row.round_id)
    const isBefore = round.status === 'open' || round.status === 'closed'
    const mover = { as: 'staff' as const, privileges }
    const steps = buttonsFrom(applicationStates, row.status, mover)
    return {
      ...{ id: row.id, number: row.number, status: row.status, round: round.name, name: row.name, club: row.club },
      ...{ email: row.email, phone: row.phone, purpose: row.purpose, guests: row.guests, isResident: row.is_resident },
      ...{ group: row.group_no, groups: round.groups },
      rankedChoices: await choiceViews(tx, call, row, round),
      history: await loadHistory(tx, applicationStates, company.id, row.id),
      can: {
        steps: { exclude: steps.exclude && isBefore },
        group: isBefore && round.groups.length > 0 && may(privileges, 'rentals', 'update'),
      },
    }
  }),
)

const LOTTERY_DONE = () => say`The lottery has already run.`

const moveCall = implement(transitionApplication, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const { round_id } = await findApplication(tx, company.id, body.applicationId)
    const round = await lockRound(tx, company.id, round_id)
    if (round.status !== 'open' && round.status !== 'closed') throw conflict('results', LOTTERY_DONE())
    const row = await lockApplication(tx, company.id, body.applicationId)
    const { message } = await transition(tx, applicationStateStore, {
      scope: company.id,
      id: row.id,
      locked: lockedApplication(row),
      event: body.event,
      actor: actorOf(call),
      reason: body.reason,
      deps: { company, context, row, round },
    })
    return { success: true as const, message }
  }),
)

const groupCall = implement(groupApplication, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const { round_id } = await findApplication(tx, company.id, body.applicationId)
    const round = await lockRound(tx, company.id, round_id)
    if (round.status !== 'open' && round.status !== 'closed') throw conflict('results', LOTTERY_DONE())
    const message = say`Choose a group from this round.`
    if (body.group > round.groups.length) throw rejected(message, { group: message })
    const row = await lockApplication(tx, company.id, body.applicationId)
    const name = round.groups[body.group - 1] ?? say`None`
    if (row.group_no !== body.group) {
      await changeRow(tx, 'rental_application', company.id, row.id, { group_no: body.group })
      await call.audit(tx, {
        action: 'rental.application_grouped',
        subject: { kind: 'rental_application', id: row.number },
        detail: { group: name, before: round.groups[row.group_no - 1] ?? '' },
      })
    }
    return { success: true as const, message: say`Group for application ${row.number}: ${name}.` }
  }),
)

export const applicationCalls = [...roundLists, ...applicationLists, showCall, moveCall, groupCall]
