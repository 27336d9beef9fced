import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { defaultsOf, isMunicipalityRole, type Privileges } from '../shared/privileges.ts'
import type { Clock } from './clock.ts'
import type { House } from './house.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const HOUR = 3_600_000

/** Who is calling, as the server knows it from the token alone. */
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
  tokenHash: Buffer
  expiresAt: Date
}

export interface SessionPerson {
  id: number
  role_id: number
  email: string
  first_name: string
  last_name: string
  /** What differs from the defaults of the role. */
  privileges: Privileges
}

/** The columns of a person that a session is made of. */
export const sessionColumns = ['id', 'role_id', 'email', 'first_name', 'last_name', 'privileges'] as const

/** Where somebody is: what their browser calls itself, and their address. */
export interface Whereabouts {
  device: string
  address: string
}

type Means = Pick<House, 'clock' | 'config'>

/** A browser may call itself anything: control characters and what is too long are left out. */
export const whereaboutsOf = (request: {
  ip: string
  headers: { 'user-agent'?: string | undefined }
}): Whereabouts => ({
  device: (request.headers['user-agent'] ?? '').replaceAll(/\p{C}/gu, '').slice(0, 300),
  address: request.ip,
})

/** Codes and tokens are opaque, random, and kept as a hash alone. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const kindOf = (roleId: number): Session['kind'] =>
  roleId >= 900 ? 'platform' : isMunicipalityRole(roleId) ? 'municipality' : 'citizen'

/** What a person's session looks like; also the privileges that a sign-in answers. */
export function sessionOf(
  person: SessionPerson,
  companyId: CompanyId | null,
): Omit<Session, 'tokenHash' | 'expiresAt'> {
  return {
    kind: kindOf(person.role_id),
    personId: person.id,
    companyId,
    roleId: person.role_id,
    email: person.email,
    firstName: person.first_name,
    lastName: person.last_name,
    privileges: { ...defaultsOf(person.role_id), ...person.privileges },
    impersonatorId: null,
  }
}

/** Begins a session. Returns the token, which is nowhere kept, and when it ends. */
export async function beginSession(
  tx: Tx,
  { clock, config }: Means,
  personId: number,
  companyId: CompanyId | null,
  { device, address }: Whereabouts,
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

/** The live session behind a token of this company, or null. Notes when and where it was seen, at most once a minute. */
export async function findSession(
  tx: Tx,
  means: Means,
  token: string,
  companyId: CompanyId,
  from: Whereabouts,
): Promise<Session | null> {
  const token_hash = hashSecret(token)
  const now = means.clock.now()
  const row = await tx
    .selectFrom('session as s')
    .innerJoin('person as p', (join) =>
      join.onRef('p.company_id', '=', 's.company_id').onRef('p.id', '=', 's.person_id'),
    )
    .select(sessionColumns.map((name) => `p.${name}` as const))
    .select(['s.seen_at', 's.expires_at', 's.impersonator_id'])
    .where('s.company_id', '=', companyId)
    .where('s.token_hash', '=', token_hash)
    .where('s.ended_at', 'is', null)
    .where('p.is_active', '=', 1)
    .where('p.locked_at', 'is', null)
    .executeTakeFirst()
  if (!row || !isLive(row, means)) return null
  if (isStale(row.seen_at, now))
    await tx
      .updateTable('session')
      .set({ seen_at: now, ...from })
      .where('company_id', '=', companyId)
      .where('token_hash', '=', token_hash)
      .execute()
  return {
    ...sessionOf(row, companyId),
    impersonatorId: row.impersonator_id,
    tokenHash: token_hash,
    expiresAt: row.expires_at,
  }
}

/** The live session of a member of the platform's staff, or null. */
export async function findPlatformSession(
  tx: Tx,
  means: Means,
  token: string,
  from: Whereabouts,
): Promise<Session | null> {
  const token_hash = hashSecret(token)
  const now = means.clock.now()
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
  if (!row || !isLive(row, means)) return null
  if (isStale(row.seen_at, now))
    await tx
      .updateTable('platform_session')
      .set({ seen_at: now, ...from })
      .where('token_hash', '=', token_hash)
      .execute()
  return { ...sessionOf(row, null), tokenHash: token_hash, expiresAt: row.expires_at }
}

/** Ends a session; ending it twice is fine. */
export async function endSession(tx: Tx, clock: Clock, session: Session): Promise<void> {
  const table = session.companyId === null ? 'platform_session' : 'session'
  await sql`UPDATE ${sql.table(table)} SET ended_at = ${clock.now()} WHERE token_hash = ${session.tokenHash} AND ended_at IS NULL`.execute(
    tx,
  )
}

const isLive = (row: { seen_at: Date; expires_at: Date }, { clock, config }: Means) =>
  row.expires_at > clock.now() && clock.now().getTime() - row.seen_at.getTime() < config.sessions.idleHours * HOUR
const isStale = (seen: Date, now: Date) => now.getTime() - seen.getTime() > 60_000
