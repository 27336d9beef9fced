import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { publishFields, saveFields, workOf } from '../../../server/fields/calls.ts'
import {
  createFieldSet,
  latestVersion,
  publishFieldSet,
  readFieldSet,
  type FieldSetContext,
} from '../../../server/fields/sets.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { publishRegistrationFields, registrationFields, saveRegistrationFields } from '../contract.ts'
import { firstDefinitions } from './definitions.ts'
import { requiredFields, type Kind, kinds } from '../rules.ts'
import { todayOf } from './registrations.ts'

/** `kind` of registration questions in the table `field_set`. */
export const FIELDS_KIND = 'registration'

const findSet = ({ tx, company }: Pick<FieldSetContext, 'tx' | 'company'>, kind: Kind) =>
  tx
    .selectFrom('registration_kind')
    .select('field_set_id as id')
    .where('company_id', '=', company)
    .where('kind', '=', kind)
    .executeTakeFirst()

/**
 * Finds the field set of a kind of registration. If the company has none, creates one with the portal's initial
 * questions as version 1.
 */
export async function ensureFieldSet(call: Call, tx: Tx, kind: Kind): Promise<number> {
  const work: FieldSetContext = {
    ...workOf(call, tx),
    actor: { session: null, requestId: call.requestId, kind: 'system' },
  }
  const existing = await findSet(work, kind)
  if (existing) return existing.id
  // Takes a lock, so that two parallel first requests do not create the field set twice.
  await sql`SELECT pg_advisory_xact_lock(${work.company}, hashtext('registration_kind'))`.execute(tx)
  const made = await findSet(work, kind)
  if (made) return made.id
  const id = await createFieldSet(work, FIELDS_KIND, { name: kinds[kind], ...firstDefinitions[kind] })
  await publishFieldSet(work, id)
  await tx.insertInto('registration_kind').values({ company_id: work.company, kind, field_set_id: id }).execute()
  return id
}

/** Loads the current questions of a kind. */
export async function newestOf(call: Call, tx: Tx, kind: Kind) {
  const set = await ensureFieldSet(call, tx, kind)
  const { version, definition } = await latestVersion({ tx, company: call.company.id }, set)
  return { set, version, definition }
}

const showCall = implement(registrationFields, (call) =>
  call.inCompany(async (tx) => {
    const { kind } = call.body
    const { draft, latestVersion: version } = await readFieldSet(workOf(call, tx), await ensureFieldSet(call, tx, kind))
    return {
      kind,
      draft,
      latestVersion: version,
      today: todayOf(call),
      can: { edit: may(call.session?.privileges ?? {}, 'registration', 'update') },
    }
  }),
)

const fieldsOf = (call: Call, kind: Kind) => async (work: FieldSetContext) => ({
  name: kinds[kind],
  set: await ensureFieldSet(call, work.tx, kind),
})

const saveCall = implement(saveRegistrationFields, (call) => saveFields(call, fieldsOf(call, call.body.kind)))

const publishCall = implement(publishRegistrationFields, (call) =>
  publishFields(call, fieldsOf(call, call.body.kind), (draft) => refuseUnfit(call.body.kind, draft)),
)

/** Refuses a draft if a field that the portal needs is missing or has a different type. */
function refuseUnfit(kind: Kind, draft: Definition): void {
  const fields = allFields(draft)
  const first = allFields(firstDefinitions[kind])
  for (const name of requiredFields[kind]) {
    const ours = first.find((one) => one.name === name)
    if (ours && !fields.some((one) => one.name === name && one.type === ours.type))
      throw rejected(
        say`The portal needs the field “${ours.label}” with its original type. Restore the field. You can give the field any label.`,
      )
  }
  const file = fields.find(({ type }) => type === 'file')
  if (file) throw rejected(say`“${file.label}” asks for a file, but registrations can't store files. Remove the field.`)
}

export const fieldCalls = [showCall, saveCall, publishCall]
