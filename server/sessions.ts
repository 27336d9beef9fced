import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { staffPrivileges, withAreas } from '../shared/areas.ts'
import { defaultsOf, isMunicipalityRole, type Privileges, rights, roles } from '../shared/privileges.ts'
import type { Clock } from './clock.ts'
import type { AppContext } from './app-context.ts'
import type { ResidentPreview } from './current-preview.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const HOUR = 3_600_000

/** Maximum duration of an impersonation, in minutes (product rules, section 4). */
const IMPERSONATED_MINUTES = 30

/** Role number of an impersonated session (spec 6.1 and 9.2). */
export const IMPERSONATING_UN = 999

/** Actor of an impersonated session, and the id of the impersonation. */
export interface Impersonation {
  id: number
  actorKind: 'platform' | 'municipality'
  actorId: number
  actorName: string
  /** Token hash of the session that started the impersonation. */
  actorSession: Buffer
  /** Preview as a temporary resident. Null if the session impersonates a real person or the municipality. */
  preview: ResidentPreview | null
}

/** The caller, identified by the session token only. */
export interface Session {
  kind: 'citizen' | 'municipality' | 'platform'
  personId: number
  companyId: CompanyId | null
  roleId: number
  email: string
  firstName: string
  lastName: string
  privileges: Privileges
  impersonatorId: number | null
  /**
   * Actor and id of the impersonation. Null if this session is not impersonated. If set, `impersonatorId` is set too.
   */
  impersonation: Impersonation | null
  tokenHash: Buffer
  expiresAt: Date
  seenAt: Date
}

export interface SessionPerson {
  id: number
  role_id: number
  email: string
  first_name: string
  last_name: string
  /** Privileges of the person that differ from the role's defaults. */
  privileges: Privileges
}

/** Columns of the person row that a session needs. */
export const sessionColumns = ['id', 'role_id', 'email', 'first_name', 'last_name', 'privileges'] as const

/** User agent and IP address of a request. */
export interface SessionOrigin {
  device: string
  address: string
}

type SessionDeps = Pick<AppContext, 'clock' | 'config'>

/**
 * Returns the IP address and the cleaned user agent of a request. Browsers can send any user agent, so control
 * characters and extra length are removed.
 */
export const whereaboutsOf = (request: {
  ip: string
  headers: { 'user-agent'?: string | undefined }
}): SessionOrigin => ({
  device: (request.headers['user-agent'] ?? '').replaceAll(/\p{C}/gu, '').slice(0, 300),
  address: request.ip,
})

/** Returns a random code or token. The database stores only its hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const kindOf = (roleId: number): Session['kind'] =>
  roleId >= 900 ? 'platform' : isMunicipalityRole(roleId) ? 'municipality' : 'citizen'

/** Returns the name of a signed-in person, for records. */
export const sessionName = ({ firstName, lastName }: Pick<Session, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()

/** Builds the session of a person. The sign-in response contains the same privileges. */
export function sessionOf(
  person: SessionPerson,
  companyId: CompanyId | null,
): Omit<Session, 'tokenHash' | 'expiresAt' | 'seenAt'> {
  const { role_id, privileges } = person
  const kind = kindOf(role_id)
  return {
    kind,
    personId: person.id,
    companyId,
    roleId: person.role_id,
    email: person.email,
    firstName: person.first_name,
    lastName: person.last_name,
    privileges: kind === 'citizen' ? { ...defaultsOf(role_id), ...privileges } : staffPrivileges(role_id, privileges),
    impersonatorId: null,
    impersonation: null,
  }
}

/**
 * Privileges denied during impersonation: payments, credentials, granting privileges, and impersonating a third person
 * (product rules, section 4).
 */
const retained: Privileges = { payment: 0, login_logout: 0, forgot_change_password: 0, sign_in_as: 0 }

/**
 * Builds the session of an actor who impersonates a resident. If `person` is null, the actor impersonates the
 * municipality with its administrator's privileges.
 */
function impersonated(
  person: SessionPerson | null,
  actor: Impersonation,
  companyId: CompanyId,
): Omit<Session, 'tokenHash' | 'expiresAt' | 'seenAt'> {
  const privileges = defaultsOf(roles.municipalityAdmin)
  const sessionData: Omit<Session, 'tokenHash' | 'expiresAt' | 'seenAt'> = person
    ? sessionOf(person, companyId)
    : {
        ...{ kind: 'municipality', personId: actor.actorId, companyId, roleId: IMPERSONATING_UN, email: '' },
        ...{ firstName: actor.actorName, lastName: '', impersonatorId: null, impersonation: null },
        privileges: withAreas({ ...privileges, user_management: rights.view }),
      }
  const masks = { ...sessionData.privileges, ...retained }
  return { ...sessionData, privileges: masks, impersonatorId: actor.actorId, impersonation: actor }
}

/** Starts a session. Returns its token and its end time. The database stores only a hash of the token. */
export async function startSession(
  tx: Tx,
  { clock, config }: SessionDeps,
  personId: number,
  companyId: CompanyId | null,
  { device, address }: SessionOrigin,
) {
  const token = newSecret()
  const now = clock.now()
  const expires_at = new Date(now.getTime() + config.sessions.hours * HOUR)
  const row = {
    token_hash: hashSecret(token),
    person_id: personId,
    created_at: now,
    seen_at: now,
    expires_at,
    ended_at: null,
    device,
    address,
  }
  if (companyId === null) await tx.insertInto('platform_session').values(row).execute()
  else
    await tx
      .insertInto('session')
      .values({ ...row, company_id: companyId, impersonator_id: null })
      .execute()
  return { token, expiresAt: expires_at }
}

/**
 * Starts a session that impersonates `personId`, or the municipality if `personId` is null.
 * @returns the token and the session's end
 */
export async function startImpersonatedSession(
  tx: Tx,
  { clock }: Pick<SessionDeps, 'clock'>,
  companyId: CompanyId,
  personId: number | null,
  { id, actorId }: Pick<Impersonation, 'id' | 'actorId'>,
  { device, address }: SessionOrigin,
) {
  const token = newSecret()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + IMPERSONATED_MINUTES * 60_000)
  await tx
    .insertInto('session')
    .values({
      ...{ company_id: companyId, token_hash: hashSecret(token), person_id: personId },
      ...{ impersonator_id: actorId, impersonation_id: id },
      ...{ created_at: now, seen_at: now, expires_at: expiresAt, ended_at: null, device, address },
    })
    .execute()
  return { token, tokenHash: hashSecret(token), expiresAt }
}

/** Finds the active session of a token in this company. Null if none exists. */
export const findSession = (tx: Tx, deps: SessionDeps, token: string, companyId: CompanyId): Promise<Session | null> =>
  findSessionByHash(tx, deps, hashSecret(token), companyId)

/**
 * Finds the active session by the hash of its token. Does not check the actor of an impersonated session, because
 * `server/impersonation.ts` does that.
 */
export async function findSessionByHash(
  tx: Tx,
  deps: SessionDeps,
  token_hash: Buffer,
  companyId: CompanyId,
): Promise<Session | null> {
  const row = await tx
    .selectFrom('session as s')
    .leftJoin('person as p', (join) =>
      join.onRef('p.company_id', '=', 's.company_id').onRef('p.id', '=', 's.person_id'),
    )
    .select(sessionColumns.map((name) => `p.${name}` as const))
    .select(['s.seen_at', 's.expires_at', 's.person_id', 's.impersonation_id'])
    .where('s.company_id', '=', companyId)
    .where('s.token_hash', '=', token_hash)
    .where('s.ended_at', 'is', null)
    .where((e) => e.or([e('s.person_id', 'is', null), e('p.is_active', '=', 1)]))
    .where('p.locked_at', 'is', null)
    .executeTakeFirst()
  if (!row || !isLive(row, deps)) return null
  // A session without a person is an impersonation of the municipality.
  const person = row.person_id === null ? null : (row as SessionPerson)
  const actor = row.impersonation_id === null ? null : await actorOf(tx, companyId, row.impersonation_id)
  if (row.impersonation_id === null ? !person : !actor) return null
  const sessionData = actor ? impersonated(person, actor, companyId) : sessionOf(person as SessionPerson, companyId)
  return { ...sessionData, tokenHash: token_hash, expiresAt: row.expires_at, seenAt: row.seen_at }
}

/** Loads the actor in a separate query, because every call loads its session but few sessions are impersonated. */
async function actorOf(tx: Tx, companyId: CompanyId, id: number): Promise<Impersonation | null> {
  const row = await tx
    .selectFrom('impersonation as i')
    .leftJoin('person as p', (join) =>
      join
        .onRef('p.company_id', '=', 'i.company_id')
        .onRef('p.id', '=', 'i.actor_id')
        .on('i.actor_kind', '=', 'municipality'),
    )
    .select(['i.id', 'i.actor_kind as actorKind', 'i.actor_id as actorId', 'i.actor_name as actorName'])
    .select(['i.actor_session as actorSession', 'i.preview_import_id as importId', 'p.email'])
    .where('i.company_id', '=', companyId)
    .where('i.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { importId, email, ...actor } = row
  return { ...actor, preview: importId === null || email === null ? null : { importId, email } }
}

/** True if the token belongs or belonged to a session of this municipality. */
export async function isExistingToken(tx: Tx, token: string, companyId: CompanyId): Promise<boolean> {
  const row = await tx
    .selectFrom('session')
    .select('person_id')
    .where('company_id', '=', companyId)
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst()
  return row !== undefined
}

export const findPlatformSession = (tx: Tx, deps: SessionDeps, token: string): Promise<Session | null> =>
  findPlatformSessionByHash(tx, deps, hashSecret(token))

export async function findPlatformSessionByHash(
  tx: Tx,
  deps: SessionDeps,
  token_hash: Buffer,
): Promise<Session | null> {
  const row = await tx
    .selectFrom('platform_session as s')
    .innerJoin('platform_person as p', 'p.id', 's.person_id')
    .select(sessionColumns.map((name) => `p.${name}` as const))
    .select(['s.seen_at', 's.expires_at'])
    .where('s.token_hash', '=', token_hash)
    .where('s.ended_at', 'is', null)
    .where('p.is_active', '=', 1)
    .where('p.locked_at', 'is', null)
    .executeTakeFirst()
  if (!row || !isLive(row, deps)) return null
  return { ...sessionOf(row, null), tokenHash: token_hash, expiresAt: row.expires_at, seenAt: row.seen_at }
}

/** Records the time, device and IP address of a session's last call, at most once a minute. */
export async function recordSessionUse(context: AppContext, session: Session, from: SessionOrigin): Promise<void> {
  const now = context.clock.now()
  if (!isStale(session.seenAt, now)) return
  const { companyId, tokenHash } = session
  if (companyId === null)
    await context.acrossCompanies((tx) =>
      tx
        .updateTable('platform_session')
        .set({ seen_at: now, ...from })
        .where('token_hash', '=', tokenHash)
        .execute(),
    )
  else
    await context.inCompany(companyId, (tx) =>
      tx
        .updateTable('session')
        .set({ seen_at: now, ...from })
        .where('company_id', '=', companyId)
        .where('token_hash', '=', tokenHash)
        .execute(),
    )
}

/** Ends a session. Does nothing if it has already ended. */
export async function endSession(tx: Tx, clock: Clock, session: Session): Promise<void> {
  const table = session.companyId === null ? 'platform_session' : 'session'
  await sql`UPDATE ${sql.table(table)} SET ended_at = ${clock.now()} WHERE token_hash = ${session.tokenHash} AND ended_at IS NULL`.execute(
    tx,
  )
}

const isLive = (row: { seen_at: Date; expires_at: Date }, { clock, config }: SessionDeps) =>
  row.expires_at > clock.now() && clock.now().getTime() - row.seen_at.getTime() < config.sessions.idleHours * HOUR
const isStale = (seen: Date, now: Date) => now.getTime() - seen.getTime() > 60_000

/**
 * Returns the id of the person who makes a request or payment, if that person belongs to the company. Null for guests
 * and platform staff.
 */
export function companyPersonOf(session: Session | null): number | null {
  const isOfCompany = session !== null && session.kind !== 'platform' && session.roleId !== IMPERSONATING_UN
  return isOfCompany ? session.personId : null
}
