import type { Subject } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notAllowed, notFound } from '../../../server/errors.ts'
import { hashSecret, newSecret, type Session, sessionName } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { hasAllOf } from '../../../server/impersonation.ts'
import { isMunicipalityRole, roles } from '../../../shared/privileges.ts'
import { checkPrivilege } from '../contract.ts'

/** Lifetime of hand-off codes, in seconds (product rules, section 4). */
const CODE_SECONDS = 60

/** Starts a hand-off (spec 4.9, 7.6, product rules section 4). */
export const checkPrivilegeCall = implement(checkPrivilege, async (call) => {
  const { body } = call
  const session = signedIn(call)
  if (Number(body.reqId) !== session.personId)
    throw notAllowed('You can start an impersonation only from your own account.')
  const self = Number(body.userId) === session.personId
  if (self && session.kind !== 'platform') throw notAllowed('You cannot impersonate yourself. Choose a resident.')
  const codes = await call.inCompany(async (tx) => {
    if (body.asStaff) await expectVisibleStaff(tx, call, session, Number(body.userId))
    else if (!self) await residentOf(tx, call, Number(body.userId))
    return startHandOff(tx, call, { target: self ? null : Number(body.userId), reason: body.reason, preview: null })
  })
  return { success: true as const, message: 'The portal is opening in a new window.', ...codes }
})

interface HandOffInput {
  /** Person to impersonate. Null for the municipality. */
  target: number | null
  reason: string
  /** Id of the record of a preview's rows. Null if the person is real. */
  preview: number | null
}

/** Stores an impersonation by the caller, and returns its single-use codes. */
export async function startHandOff(tx: Tx, call: Call, { target, reason, preview }: HandOffInput) {
  const { company, context } = call
  const session = signedIn(call)
  const kind = session.kind === 'platform' ? ('platform' as const) : ('municipality' as const)
  const [sessionToken, adminToken] = [newSecret(), newSecret()]
  const now = context.clock.now()
  const { id } = await tx
    .insertInto('impersonation')
    .values({
      ...{ company_id: company.id, actor_kind: kind, actor_id: session.personId, actor_session: session.tokenHash },
      ...{ actor_name: sessionName(session), reason, target_id: target, preview_import_id: preview },
      ...{ used_at: null, created_at: now },
      ...{ code_hash: hashSecret(sessionToken), admin_code_hash: hashSecret(adminToken) },
      expires_at: new Date(now.getTime() + CODE_SECONDS * 1000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await call.audit(tx, {
    action: 'impersonation.started',
    subject: seenAs(company.id, target),
    detail: { reason, impersonation: id },
  })
  return { sessionToken, adminToken, handOff: `${company.id}-${id}` }
}

/** Returns the subject for the audit log: the resident, or the municipality if `target` is null. */
export const seenAs = (company: number, target: number | null): Subject =>
  target === null ? { kind: 'company', id: company } : { kind: 'person', id: target }

/** Checks that the person is active staff of this company and has only privileges that the caller has too. */
async function expectVisibleStaff(tx: Tx, { company }: Call, session: Session, id: number): Promise<void> {
  const person = await tx
    .selectFrom('person')
    .select(['role_id', 'is_active', 'locked_at', 'privileges'])
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!person || session.kind !== 'municipality' || !isMunicipalityRole(person.role_id))
    throw notFound('This person is not on the staff of this municipality.')
  if (!hasAllOf(session, person))
    throw notAllowed('This person has privileges that you do not have, so you cannot see the portal as this person.')
  if (person.is_active !== 1 || person.locked_at)
    throw conflict('inactive', 'This account is inactive or locked. Activate or unlock it first.')
}

/**
 * Checks that the person is an active resident of this company. People with staff permissions cannot be impersonated.
 */
async function residentOf(tx: Tx, { company }: Call, id: number): Promise<void> {
  const person = await tx
    .selectFrom('person')
    .select(['role_id', 'is_active', 'locked_at'])
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!person) throw notFound('This person was not found in this municipality.')
  if (person.role_id !== roles.citizen) throw notAllowed('You can impersonate only residents, not staff.')
  if (person.is_active !== 1 || person.locked_at)
    throw conflict(
      'inactive',
      'This account is inactive or locked. Activate or unlock it before you impersonate the resident.',
    )
}
