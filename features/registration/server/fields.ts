import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { malformed, rejected } from '../../../server/errors.ts'
import {
  createFieldSet,
  latestVersion,
  publishFieldSet,
  readFieldSet,
  saveFieldSet,
  type Work,
} from '../../../server/fields/sets.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type Definition, sketch } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/words.ts'
import { publishRegistrationFields, registrationFields, saveRegistrationFields } from '../contract.ts'
import { firstDefinitions } from './definitions.ts'
import { keptFields, type Kind, kinds } from '../rules.ts'
import { todayOf } from './registrations.ts'

/** What `field_set` calls what is asked of registrations. */
export const FIELDS_KIND = 'registration'

const workOf = (call: Call, tx: Tx): Work => ({ tx, clock: call.house.clock, doer: call, company: call.company.id })

const findSet = ({ tx, company }: Pick<Work, 'tx' | 'company'>, kind: Kind) =>
  tx
    .selectFrom('registration_kind')
    .select('field_set_id as id')
    .where('company_id', '=', company)
    .where('kind', '=', kind)
    .executeTakeFirst()

/** The field set of a kind. A town that has none yet begins with ours, as its first version. */
export async function setOf(call: Call, tx: Tx, kind: Kind): Promise<number> {
  const work: Work = { ...workOf(call, tx), doer: { session: null, requestId: call.requestId, kind: 'system' } }
  const found = await findSet(work, kind)
  if (found) return found.id
  // Two who ask first at the same moment take turns.
  await sql`SELECT pg_advisory_xact_lock(${work.company}, hashtext('registration_kind'))`.execute(tx)
  const made = await findSet(work, kind)
  if (made) return made.id
  const id = await createFieldSet(work, FIELDS_KIND, { name: kinds[kind], ...firstDefinitions[kind] })
  await publishFieldSet(work, id)
  await tx.insertInto('registration_kind').values({ company_id: work.company, kind, field_set_id: id }).execute()
  return id
}

/** What is filled in for a kind by now. */
export async function newestOf(call: Call, tx: Tx, kind: Kind) {
  const set = await setOf(call, tx, kind)
  const { version, definition } = await latestVersion({ tx, company: call.company.id }, set)
  return { set, version, definition }
}

function read(sent: unknown): Definition {
  const parsed = sketch.safeParse(sent)
  if (!parsed.success) throw malformed(parsed.error.issues[0]?.message ?? 'These fields could not be read.')
  return parsed.data
}

const showCall = implement(registrationFields, (call) =>
  call.inCompany(async (tx) => {
    const { kind } = call.body
    const { draft, latestVersion: version } = await readFieldSet(workOf(call, tx), await setOf(call, tx, kind))
    return {
      kind,
      draft,
      latestVersion: version,
      today: todayOf(call),
      can: { edit: may(call.session?.privileges ?? {}, 'manage_other_registrations', 'update') },
    }
  }),
)

const saveCall = implement(saveRegistrationFields, (call) => {
  const { kind, definition, basis } = call.body
  const { steps } = read(definition)
  return call.inCompany(async (tx) => {
    const name = kinds[kind]
    const made = basis === undefined ? undefined : { name, steps: read(basis).steps }
    const saved = await saveFieldSet(workOf(call, tx), await setOf(call, tx, kind), { name, steps }, made)
    return { success: true as const, message: 'The draft is saved.', definition: { steps: saved.steps } }
  })
})

const publishCall = implement(publishRegistrationFields, (call) => {
  const { kind } = call.body
  const seen = read(call.body.definition)
  return call.inCompany(async (tx) => {
    const work = workOf(call, tx)
    const set = await setOf(call, tx, kind)
    refuseUnfit(kind, (await readFieldSet(work, set)).draft)
    const version = await publishFieldSet(work, set, seen)
    return { success: true as const, message: say`Version ${version} is published.`, version }
  })
})

/** What the portal itself reads of each registration has to stay, of the type that it is. */
function refuseUnfit(kind: Kind, draft: Definition): void {
  const fields = allFields(draft)
  const first = allFields(firstDefinitions[kind])
  for (const name of keptFields[kind]) {
    const ours = first.find((one) => one.name === name)
    if (ours && !fields.some((one) => one.name === name && one.type === ours.type))
      throw rejected(say`“${ours.label}” is read by the portal itself. Put it back, under any label you like.`)
  }
  const file = fields.find(({ type }) => type === 'file')
  if (file) throw rejected(say`“${file.label}” asks for a file, which registrations can't keep. Remove the field.`)
}

export const fieldCalls = [showCall, saveCall, publishCall]
