import type { Endpoint } from '../shared/endpoint.ts'
import { staffPrivileges } from '../shared/areas.ts'
import { beyond, may } from '../shared/privileges.ts'
import { auditCompany } from './audit.ts'
import type { Call } from './call.ts'
import type { AppContext } from './app-context.ts'
import { findPlatformSessionByHash, findSessionByHash, type Session, type SessionPerson } from './sessions.ts'

/** Error message for calls that impersonators can't make (`whileImpersonating: 'refused'`). */
export const NOT_FOR_OTHERS =
  'You cannot do this while impersonating someone. Only the account owner can make payments or change sign-in details and privileges. To do this as yourself, end the impersonation session.'

/**
 * True if the session may continue. An impersonated session ends with the session that started it. It also ends if the
 * actor becomes inactive, is locked, or loses the privilege (product rules, section 4). Every call checks this.
 */
export async function actorStillMay(context: AppContext, { impersonation, companyId }: Session): Promise<boolean> {
  if (!impersonation || companyId === null) return true
  const { actorKind, actorSession } = impersonation
  const actor =
    actorKind === 'platform'
      ? await context.acrossCompanies((tx) => findPlatformSessionByHash(tx, context, actorSession))
      : await context.inCompany(companyId, (tx) => findSessionByHash(tx, context, actorSession, companyId))
  return actor !== null && actor.impersonation === null && may(actor.privileges, 'login_logout', 'view')
}

/** Error message for changes in a session that only sees the portal as another staff member. */
export const SEES_ONLY =
  'You see the portal as another person, so you cannot change anything. To make changes, use your own window.'

/** First words of calls that only read. All other calls of staff may change data. */
const READING =
  /^(?:logout$|(?:admin\/|muni\/)?(?:return|find|view|preview|print|download|export|zip|live|watch|check)\/)/

/** True if staff only see the portal as another staff member. An impersonation of the municipality has no such person. */
export const seesOnly = ({ kind, impersonation, personId }: Session): boolean =>
  impersonation !== null && kind === 'municipality' && personId !== impersonation.actorId

/**
 * True if the viewer is on the staff of a municipality and has all privileges of the other staff member. Otherwise, the
 * viewer could read more than their own privileges permit.
 */
export const hasAllOf = (
  { kind, privileges }: Pick<Session, 'kind' | 'privileges'>,
  other: Pick<SessionPerson, 'role_id' | 'privileges'>,
): boolean =>
  kind === 'municipality' && beyond(staffPrivileges(other.role_id, other.privileges), privileges).length === 0

export const isReading = ({ path }: Pick<Endpoint, 'path'>): boolean => READING.test(path)

/**
 * Writes an audit entry for each call during impersonation, even if the call changes no data. The entry names both
 * people.
 */
export async function auditImpersonatedCall(call: Call, endpoint: Endpoint): Promise<void> {
  const { context, session } = call
  const companyId = session?.companyId
  if (!session?.impersonation || !companyId) return
  await context.inCompany(companyId, (tx) =>
    auditCompany(tx, context.clock, companyId, call, {
      action: 'impersonation.call',
      subject: { kind: 'call', id: endpoint.path },
      detail: { what: endpoint.summary },
    }),
  )
}
