import { parcelOf } from '../../../server/places/parcel-of.ts'
import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { csvLabels } from '../../../server/csv.ts'
import { notFound } from '../../../server/errors.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'
import { loadHistory, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { buttonsFrom, type ButtonOf } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { plural, say } from '../../../shared/messages.ts'
import { scheduledFor } from '../../inspections/api.ts'
import { transitionRegistration, showRegistration, showSnapshot, verifyRegistrations } from '../contract.ts'
import { registrations } from '../list.ts'
import { kinds, RENTAL, RENTAL_SUBJECT } from '../rules.ts'
import { registrationStates, type RegistrationState } from '../states.ts'
import { summaryOf } from './mine.ts'
import {
  findRegistration,
  registrationStateStore,
  openAnswers,
  snapshotsOf,
  todayOf,
  renewalPatch,
} from './registrations.ts'
import { settingsOf } from './settings.ts'

export const registrationLists = implementList(registrations, {
  table: sql`found_registration`,
  joins: sql`LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.person_id`,
  columns: {
    number: 'number',
    kind: 'kind',
    name: 'name',
    location: 'location',
    owner: 'owner_name',
    status: 'status',
    confirmBy: 'confirm_by',
    inspectBy: 'inspect_by',
    people: 'people',
    units: 'units',
    changed: 'changed_at',
    email: sql`coalesce(p.email, '')`,
  },
  sorts: { confirmBy: 'confirm_or_never', inspectBy: 'inspect_or_never' },
  csv: { kind: csvLabels('r.kind', kinds), status: csvLabels('r.status', registrationStates.labels) },
  search: (text) => matchesSearch(sql`r.search_text`, text),
  row: ({ status }, { session }) => ({
    can: {
      view: true,
      verify:
        may(session?.privileges ?? {}, 'registration', 'update') &&
        (registrationStates.steps.verify.from as readonly string[]).includes(status),
    },
  }),
  exported: 'export.registrations',
})

const showCall = implement(showRegistration, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const row = await findRegistration(tx, company.id, body.id)
    const { definition } = await versionOf({ tx, company: company.id }, row.field_set_id, row.version)
    const person = await tx
      .selectFrom('person')
      .select('email')
      .where('company_id', '=', company.id)
      .where('id', '=', row.person_id)
      .executeTakeFirst()
    const { privileges } = signedIn(call)
    return {
      ...summaryOf(row),
      today: todayOf(call),
      owner: row.owner_name,
      email: person?.email ?? '',
      definition,
      answers: { ...openAnswers(context, row) },
      where: locationFromRow(row),
      parcel: await parcelOf(tx, company.id, row.location),
      forResponders: row.for_responders,
      inspectBy: row.inspect_by ?? '',
      inspection: row.kind === RENTAL ? await scheduledFor(tx, company.id, RENTAL_SUBJECT, row.id) : null,
      history: await loadHistory(tx, registrationStates, company.id, row.id),
      snapshots: await snapshotsOf(tx, row),
      can: {
        steps: buttonsFrom(registrationStates, row.status as RegistrationState, actorOf(call)),
        inspect: row.kind === RENTAL && row.status !== 'ended' && may(privileges, 'inspections', 'create'),
      },
    }
  }),
)

type Event = ButtonOf<typeof registrationStates>

/** Performs a transition by staff. If staff verify a registration, also sets its next deadline. */
async function take(tx: Tx, call: Call, id: number, event: Event, reason: string): Promise<string> {
  const { company } = call
  const row = await findRegistration(tx, company.id, id, { lock: true })
  const { inspectionMonths } = await settingsOf(tx, company.id)
  const { message } = await transition(tx, registrationStateStore, {
    ...{ scope: company.id, id, event, actor: actorOf(call), reason, deps: call },
    patch: event === 'verify' ? renewalPatch(row, todayOf(call), inspectionMonths) : {},
  })
  return message
}

const moveCall = implement(transitionRegistration, (call) =>
  call.inCompany(async (tx) => {
    const { id, event, reason = '' } = call.body
    return { success: true as const, message: await take(tx, call, id, event, reason) }
  }),
)

const verifyCall = implement(verifyRegistrations, (call) =>
  call.inCompany(async (tx) => {
    const rows = await tx
      .selectFrom('registration')
      .select('id')
      .where('company_id', '=', call.company.id)
      .where('id', 'in', call.body.ids)
      .where('status', '=', 'pending')
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const { id } of rows) await take(tx, call, id, 'verify', '')
    const verified = rows.length
    const message = say`${plural(verified, '# registration was', '# registrations were')} verified.`
    return { success: true as const, message, verified }
  }),
)

const snapshotCall = implement(showSnapshot, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const row = await tx
      .selectFrom('registration_snapshot')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('registration_id', '=', body.id)
      .where('no', '=', body.no)
      .executeTakeFirst()
    if (!row) throw notFound('This earlier version was not found.')
    const { definition } = await versionOf({ tx, company: company.id }, row.field_set_id, row.version)
    return {
      today: todayOf(call),
      at: row.at.toISOString(),
      owner: row.owner_name,
      location: row.location,
      definition,
      answers: { ...openAnswers(context, row) },
    }
  }),
)

export const staffCalls = [...registrationLists, showCall, moveCall, verifyCall, snapshotCall]
