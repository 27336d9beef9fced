import { createHmac } from 'node:crypto'
import pg from 'pg'
import type { Config } from '../config.ts'
import { reasonOf, StartError } from '../start-error.ts'
import { connectOwner } from './owner.ts'

/** URLs of the portal's roles in one database. `gateway` is only set if the portal uses the sandbox gateway. */
export interface RoleUrls {
  app: string
  platform: string
  gateway: string | null
}

type DatabaseUrls = Pick<Config['database'], 'appUrl' | 'platformUrl' | 'gatewayUrl'>

interface Role {
  name: string
  /**
   * True if the role bypasses row-level security: the roles of the platform and of the search views. The application
   * role does not bypass it.
   */
  bypassesSecurity: boolean
  /** Null for a role that can't log in. */
  login: { url: string; password: string } | null
}

const SEARCH = 'mainstreet_search'
const GATEWAY = 'mainstreet_gateway'
/** Schema of the sandbox gateway's tables. */
export const GATEWAY_SCHEMA = 'sandbox_gateway'

/**
 * Creates the portal's roles on the server of `ownerUrl`, or checks that the existing roles work. Roles belong to the
 * whole server, so other portals may do this at the same time. Unless URLs are configured, passwords derive from the
 * owner's password, so that all portals use the same passwords.
 * @throws StartError with the SQL to run, if the owner may not create roles
 */
export async function ensureRoles(ownerUrl: string, configured: DatabaseUrls, useGateway: boolean): Promise<RoleUrls> {
  const derive = derivation(ownerUrl)
  const search: Role = { name: SEARCH, bypassesSecurity: true, login: null }
  const app = configured.appUrl ? null : derive('mainstreet_app', false)
  const platform = configured.platformUrl ? null : derive('mainstreet_platform', true)
  const gateway = configured.gatewayUrl || !useGateway ? null : derive(GATEWAY, false)
  const owner = await connectOwner(ownerUrl)
  try {
    await makeMissing(
      owner,
      [search, app, platform, gateway].filter((role) => role !== null),
    )
    if (useGateway)
      await ensureGatewaySchema(
        owner,
        configured.gatewayUrl ? decodeURIComponent(new URL(configured.gatewayUrl).username) : GATEWAY,
      )
  } finally {
    await owner.end()
  }
  if (configured.appUrl) await checkConfigured('DATABASE_APP_URL', configured.appUrl, false)
  if (configured.platformUrl) await checkConfigured('DATABASE_PLATFORM_URL', configured.platformUrl, true)
  return {
    app: configured.appUrl ?? app?.login?.url ?? '',
    platform: configured.platformUrl ?? platform?.login?.url ?? '',
    gateway: useGateway ? (configured.gatewayUrl ?? gateway?.login?.url ?? '') : null,
  }
}

function derivation(ownerUrl: string): (name: string, bypassesSecurity: boolean) => Role {
  const secret = decodeURIComponent(new URL(ownerUrl).password)
  return (name, bypassesSecurity) => {
    if (!secret)
      throw new StartError(
        "DATABASE_URL needs a password: those of the portal's roles are derived from it (or set DATABASE_APP_URL, DATABASE_PLATFORM_URL and GATEWAY_DATABASE_URL).",
      )
    const password = createHmac('sha256', secret).update(`mainstreet role ${name}`).digest('base64url')
    const url = new URL(ownerUrl)
    url.username = name
    url.password = password
    return { name, bypassesSecurity, login: { url: url.href, password } }
  }
}

async function makeMissing(owner: pg.Client, roles: readonly Role[]): Promise<void> {
  const missing: Role[] = []
  for (const role of roles) if (!(await isReady(owner, role))) missing.push(role)
  try {
    for (const role of missing) await despiteOthers(() => makeRole(owner, role))
    // Only a member of a role can make that role the owner of an object.
    for (const { name } of roles)
      if (isGrantedToOwner(name) && !(await isMember(owner, name)))
        await despiteOthers(() => owner.query(`GRANT ${name} TO CURRENT_USER`))
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42501') throw error
    throw new StartError(
      `DATABASE_URL's role may not make the portal's roles. Let a superuser run this, then start again:\n\n${await sqlFor(owner, missing)}\n`,
    )
  }
}

const isGrantedToOwner = (name: string) => name === SEARCH || name === GATEWAY

async function isReady(owner: pg.Client, { name, bypassesSecurity, login }: Role): Promise<boolean> {
  const { rows } = await owner.query<{ rolbypassrls: boolean }>(
    'SELECT rolbypassrls FROM pg_roles WHERE rolname = $1',
    [name],
  )
  return (
    rows[0]?.rolbypassrls === bypassesSecurity &&
    (login === null ||
      (await queryAs(login.url, 'SELECT 1').then(
        () => true,
        () => false,
      )))
  )
}

async function makeRole(owner: pg.Client, role: Role): Promise<void> {
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role.name])
  await owner.query(`${rowCount ? 'ALTER' : 'CREATE'} ${clauses(role)}`)
}

const clauses = ({ name, bypassesSecurity, login }: Role) =>
  `ROLE ${name} ${bypassesSecurity ? 'BYPASSRLS' : 'NOBYPASSRLS'} ${login ? `LOGIN PASSWORD '${login.password}'` : 'NOLOGIN'}`

async function isMember(owner: pg.Client, name: string): Promise<boolean> {
  // Since PostgreSQL 16 a membership may lack the permission to act as the role.
  const { rows } = await owner.query<{ member: boolean }>(
    "SELECT pg_has_role(current_user, $1, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'set' ELSE 'member' END) AS member",
    [name],
  )
  return rows[0]?.member === true
}

async function sqlFor(owner: pg.Client, missing: readonly Role[]): Promise<string> {
  const { rows } = await owner.query<{ me: string; names: string[] }>(
    'SELECT quote_ident(current_user) AS me, array(SELECT rolname::text FROM pg_roles) AS names',
  )
  const { me = '', names = [] } = rows[0] ?? {}
  const lines = missing.map((role) => `${names.includes(role.name) ? 'ALTER' : 'CREATE'} ${clauses(role)};`)
  return [...lines, ...[SEARCH, GATEWAY].map((name) => `GRANT ${name} TO ${me};`)].join('\n')
}

async function ensureGatewaySchema(owner: pg.Client, role: string): Promise<void> {
  await despiteOthers(() =>
    owner.query(`CREATE SCHEMA IF NOT EXISTS ${GATEWAY_SCHEMA} AUTHORIZATION ${pg.escapeIdentifier(role)}`),
  )
}

async function checkConfigured(variable: string, url: string, bypassesSecurity: boolean): Promise<void> {
  const requirement = bypassesSecurity
    ? 'must pass row-level security (BYPASSRLS)'
    : 'must obey row-level security (neither SUPERUSER nor BYPASSRLS)'
  const rows = await queryAs(
    url,
    'SELECT rolsuper OR rolbypassrls AS passes FROM pg_roles WHERE rolname = current_user',
  ).catch((error: unknown) => {
    throw new StartError(`${variable} does not let us in (${reasonOf(error)}).`)
  })
  if (rows[0]?.['passes'] !== bypassesSecurity) throw new StartError(`${variable}'s role ${requirement}.`)
}

async function queryAs(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Retries work that failed because another portal created or altered the same role in parallel. */
async function despiteOthers(work: () => Promise<unknown>, triesLeft = 20): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError
    const isRace = ['42710', '42P06', '23505'].includes(code) || (code === 'XX000' && message.includes('concurrently'))
    if (!isRace || triesLeft === 0) throw error
    await despiteOthers(work, triesLeft - 1)
  }
}
