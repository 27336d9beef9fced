import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { defaultsOf, isMunicipalityRole, type Privileges } from '../shared/privileges.ts'
import type { Clock } from './clock.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** How long a session lives at most, and without a call. */
export const SESSION_HOURS = 12
const IDLE_HOURS = 2
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
}

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
    privileges: defaultsOf(person.role_id),
    impersonatorId: null,
  }
}

/** Begins a session. Returns the token, which is nowhere kept, and when it ends. */
export async function beginSession(tx: Tx, clock: Clock, personId: number, companyId: CompanyId | null) {
  const token = newSecret()
  const now = clock.now()
  const expires_at = new Date(now.getTime() + SESSION_HOURS * HOUR)
  const times = {
    token_hash: hashSecret(token),
    person_id: personId,
    created_at: now,
    seen_at: now,
    expires_at,
    ended_at: null,
  }
  if (companyId === null) await tx.insertInto('platform_session').values(times).execute()
  else
    await tx
      .insertInto('session')
      .values({ ...times, company_id: companyId, impersonator_id: null })
      .execute()
  return { token, expiresAt: expires_at }
}

/** The live session behind a token of this company, or null. Marks it as seen, at most once a minute. */
export async function findSession(tx: Tx, clock: Clock, token: string, companyId: CompanyId): Promise<Session | null> {
  const token_hash = hashSecret(token)
  const now = clock.now()
  const row = await tx
    .selectFrom('session as s')
    .innerJoin('person as p', (join) =>
      join.onRef('p.company_id', '=', 's.company_id').onRef('p.id', '=', 's.person_id'),
    )
    .select([
      'p.id',
      'p.role_id',
      'p.email',
      'p.first_name',
      'p.last_name',
      's.seen_at',
      's.expires_at',
      's.impersonator_id',
    ])
    .where('s.company_id', '=', companyId)
    .where('s.token_hash', '=', token_hash)
    .where('s.ended_at', 'is', null)
    .where('p.is_active', '=', 1)
    .executeTakeFirst()
  if (!row || !isLive(row, now)) return null
  if (isStale(row.seen_at, now))
    await tx
      .updateTable('session')
      .set({ seen_at: now })
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
export async function findPlatformSession(tx: Tx, clock: Clock, token: string): Promise<Session | null> {
  const token_hash = hashSecret(token)
  const now = clock.now()
  const row = await tx
    .selectFrom('platform_session as s')
    .innerJoin('platform_person as p', 'p.id', 's.person_id')
    .select(['p.id', 'p.role_id', 'p.email', 'p.first_name', 'p.last_name', 's.seen_at', 's.expires_at'])
    .where('s.token_hash', '=', token_hash)
    .where('s.ended_at', 'is', null)
    .where('p.is_active', '=', 1)
    .executeTakeFirst()
  if (!row || !isLive(row, now)) return null
  if (isStale(row.seen_at, now))
    await tx.updateTable('platform_session').set({ seen_at: now }).where('token_hash', '=', token_hash).execute()
  return { ...sessionOf(row, null), tokenHash: token_hash, expiresAt: row.expires_at }
}

/** Ends a session; ending it twice is fine. */
export async function endSession(tx: Tx, clock: Clock, session: Session): Promise<void> {
  const table = session.companyId === null ? 'platform_session' : 'session'
  await sql`UPDATE ${sql.table(table)} SET ended_at = ${clock.now()} WHERE token_hash = ${session.tokenHash} AND ended_at IS NULL`.execute(
    tx,
  )
}

const isLive = (row: { seen_at: Date; expires_at: Date }, now: Date) =>
  row.expires_at > now && now.getTime() - row.seen_at.getTime() < IDLE_HOURS * HOUR
const isStale = (seen: Date, now: Date) => now.getTime() - seen.getTime() > 60_000
