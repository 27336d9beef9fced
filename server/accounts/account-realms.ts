import { type RawBuilder, sql } from 'kysely'
import { auditCompanyOrPlatform, type AuditEntry, type Actor } from '../audit.ts'
import { type Call, signedIn } from '../call.ts'
import { conflict, notAllowed, notFound, notSignedIn } from '../errors.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import type { Notice, NoticeSender } from '../notices/notice.ts'
import { notify, noticeSenderOf } from '../notices/notify.ts'
import { refuseWhileOffline } from '../offline.ts'
import type { Session, SessionPerson } from '../sessions.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../tenancy.ts'
import type { PasswordRules } from '../../shared/passwords.ts'
import { say } from '../../shared/messages.ts'

/** Account with its sign-in details. */
export interface Account extends SessionPerson {
  password_hash: string | null
  is_active: number
  locked_at: Date | null
  /**
   * Time when the person confirmed the email. Always set for platform staff, because the platform knows their email.
   */
  email_confirmed_at: Date | null
  /**
   * Last time that the person opened a link from an email. Null if the person has never proven that they own the
   * mailbox.
   */
  proven_at: Date | null
}

export type LinkPurpose = 'confirm_email' | 'change_email' | 'reset_password'

export const isOpen = (account: Pick<Account, 'is_active' | 'locked_at'>): boolean =>
  account.is_active === 1 && account.locked_at === null

/**
 * Accounts of a company, or of the platform if `company` is null. The queries are the same, but only a company's tables
 * have a company column.
 */
export class AccountRealm implements NoticeSender {
  readonly company: Company | null
  /** Sender name in emails. */
  readonly name: string
  /** Builds a URL on this host, for emails. */
  readonly url: NoticeSender['url']
  readonly #context: AppContext
  readonly #people: RawBuilder<unknown>
  readonly #sessions: RawBuilder<unknown>
  readonly #links: RawBuilder<unknown>
  readonly #invitations: RawBuilder<unknown>
  readonly #own: RawBuilder<unknown>
  readonly #confirmed: RawBuilder<unknown>

  constructor(context: AppContext, company: Company | null) {
    this.#context = context
    this.company = company
    const { name, url } = noticeSenderOf(context, company)
    this.name = name
    this.url = url
    this.#people = sql.table(company ? 'person' : 'platform_person')
    this.#sessions = sql.table(company ? 'session' : 'platform_session')
    this.#links = sql.table(company ? 'account_link' : 'platform_account_link')
    this.#invitations = sql.table(company ? 'invitation' : 'platform_invitation')
    this.#own = company ? sql`company_id = ${company.id} AND` : sql``
    this.#confirmed = company
      ? sql`email_confirmed_at, greatest(mailbox_proven_at, email_confirmed_at) AS proven_at`
      : sql`created_at AS email_confirmed_at, greatest(mailbox_proven_at, created_at) AS proven_at`
  }

  /** Prefix of rate limit keys, including those for sign-in. */
  get scope(): CompanyId | 'platform' {
    return this.company?.id ?? 'platform'
  }

  within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.company ? this.#context.inCompany(this.company.id, work) : this.#context.acrossCompanies(work)
  }

  audit(tx: Tx, actor: Actor, auditEntry: AuditEntry): Promise<void> {
    return auditCompanyOrPlatform(tx, this.#context.clock, this.company?.id ?? null, actor, auditEntry)
  }

  notify<Data>(tx: Tx, to: string, notice: Notice<Data>, data: Data): Promise<void> {
    return notify(tx, this.#context, { at: this.company, to, notice, data })
  }

  async rulesOf(tx: Tx): Promise<PasswordRules> {
    if (!this.company) return 'standard'
    const row = await tx
      .selectFrom('identity_settings')
      .select('password_rules')
      .where('company_id', '=', this.company.id)
      .executeTakeFirst()
    return row?.password_rules ?? 'standard'
  }

  findByEmail(tx: Tx, email: string): Promise<Account | undefined> {
    return this.#find(tx, sql`lower(email) = ${email.toLowerCase()}`)
  }

  findById(tx: Tx, id: number): Promise<Account | undefined> {
    return this.#find(tx, sql`id = ${id}`)
  }

  async #find(tx: Tx, condition: RawBuilder<unknown>): Promise<Account | undefined> {
    const { rows } = await sql<Account>`
      SELECT id, role_id, email, first_name, last_name, privileges, password_hash, is_active, locked_at, ${this.#confirmed}
      FROM ${this.#people} WHERE ${this.#own} ${condition}`.execute(tx)
    return rows[0]
  }

  async noteSignIn(tx: Tx, id: number): Promise<void> {
    const now = this.#context.clock.now()
    await sql`UPDATE ${this.#people} SET signed_in_at = ${now} WHERE ${this.#own} id = ${id}`.execute(tx)
  }

  async setPassword(tx: Tx, id: number, hash: string): Promise<void> {
    await sql`UPDATE ${this.#people} SET password_hash = ${hash} WHERE ${this.#own} id = ${id}`.execute(tx)
  }

  /**
   * Sets the first password of an invited person. The emailed invitation proves that they own the mailbox.
   * @returns the email
   */
  async setFirstPassword(tx: Tx, id: number, hash: string): Promise<string> {
    const now = this.#context.clock.now()
    const confirmed = this.company ? sql`, email_confirmed_at = ${now}` : sql``
    const { rows } = await sql<{ email: string }>`
      UPDATE ${this.#people} SET password_hash = ${hash}, mailbox_proven_at = ${now}${confirmed}
      WHERE ${this.#own} id = ${id} RETURNING email`.execute(tx)
    return rows[0]?.email ?? ''
  }

  /**
   * Sets the person's new email after they opened a link sent to it.
   * @throws the database's unique violation
   */
  async setEmail(tx: Tx, id: number, email: string): Promise<void> {
    const now = this.#context.clock.now()
    // The first confirmation date stays if the email does not change.
    const confirmed = this.company
      ? sql`, email_confirmed_at = CASE WHEN email = ${email} THEN coalesce(email_confirmed_at, ${now}) ELSE ${now} END`
      : sql``
    await sql`
      UPDATE ${this.#people} SET email = ${email}, mailbox_proven_at = ${now}${confirmed}
      WHERE ${this.#own} id = ${id}`.execute(tx)
  }

  /**
   * Ends a person's sessions. `but` is a session that stays, and `only` limits the call to one session.
   * @returns the number of ended sessions
   */
  async endSessions(tx: Tx, id: number, { but, only }: { but?: Buffer; only?: number } = {}): Promise<number> {
    const some = sql`${but ? sql`AND token_hash <> ${but}` : sql``} ${only === undefined ? sql`` : sql`AND id = ${only}`}`
    const { numAffectedRows } = await sql`
      UPDATE ${this.#sessions} SET ended_at = ${this.#context.clock.now()}
      WHERE ${this.#own} person_id = ${id} AND ended_at IS NULL ${some}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  }

  /** Lists the active sessions, without those of staff who impersonate this person. */
  async liveSessions(tx: Tx, id: number) {
    const now = this.#context.clock.now()
    const idle = new Date(now.getTime() - this.#context.config.sessions.idleHours * 3_600_000)
    const notImpersonated = this.company ? sql`AND impersonator_id IS NULL` : sql``
    const { rows } = await sql<{
      id: number
      token_hash: Buffer
      device: string
      address: string
      created_at: Date
      seen_at: Date
    }>`SELECT id, token_hash, device, address, created_at, seen_at FROM ${this.#sessions}
      WHERE ${this.#own} person_id = ${id} AND ended_at IS NULL AND expires_at > ${now} AND seen_at > ${idle} ${notImpersonated}
      ORDER BY created_at DESC, id DESC LIMIT 100`.execute(tx)
    return rows
  }

  async addLink(tx: Tx, link: { hash: Buffer; personId: number; purpose: LinkPurpose; email: string; until: Date }) {
    const { hash, personId, purpose, email, until } = link
    const companySql = this.company ? [sql`company_id, `, sql`${this.company.id}, `] : [sql``, sql``]
    await sql`
      INSERT INTO ${this.#links} (${companySql[0]}code_hash, person_id, purpose, email, created_at, expires_at)
      VALUES (${companySql[1]}${hash}, ${personId}, ${purpose}, ${email}, ${this.#context.clock.now()}, ${until})`.execute(
      tx,
    )
  }

  /**
   * Returns the history of the link with this code. The history explains why the link has expired or was used.
   * Undefined if no link has this code.
   */
  async pastOf(tx: Tx, hash: Buffer) {
    const { rows } = await sql<{
      person_id: number
      purpose: LinkPurpose
      email: string
      used: boolean
      newer: boolean
    }>`
      SELECT person_id, purpose, email, used_at IS NOT NULL AS used, EXISTS (
        SELECT FROM ${this.#links} later
        WHERE ${this.#own} later.person_id = link.person_id AND later.purpose = link.purpose
          AND later.expires_at > link.expires_at) AS newer
      FROM ${this.#links} link WHERE ${this.#own} code_hash = ${hash}`.execute(tx)
    return rows[0]
  }

  /** Finds the link with this code if it is unused and has not expired. `take` marks the link as used. */
  async findLink(tx: Tx, hash: Buffer, purposes: readonly LinkPurpose[], { take = false } = {}) {
    const now = this.#context.clock.now()
    const live = sql`${this.#own} code_hash = ${hash} AND purpose IN (${sql.join(purposes)}) AND used_at IS NULL AND expires_at > ${now}`
    const query = take
      ? sql<{ person_id: number; purpose: LinkPurpose; email: string }>`
          UPDATE ${this.#links} SET used_at = ${now} WHERE ${live} RETURNING person_id, purpose, email`
      : sql<{ person_id: number; purpose: LinkPurpose; email: string }>`
          SELECT person_id, purpose, email FROM ${this.#links} WHERE ${live}`
    return (await query.execute(tx)).rows[0]
  }

  /** Finds the person with this open invitation. `take` marks the invitation as used. */
  async findInvitation(tx: Tx, hash: Buffer, { take = false } = {}): Promise<number | undefined> {
    const now = this.#context.clock.now()
    const open = sql`${this.#own} code_hash = ${hash} AND used_at IS NULL AND expires_at > ${now}`
    const query = take
      ? sql<{ person_id: number }>`UPDATE ${this.#invitations} SET used_at = ${now} WHERE ${open} RETURNING person_id`
      : sql<{ person_id: number }>`SELECT person_id FROM ${this.#invitations} WHERE ${open}`
    return (await query.execute(tx)).rows[0]?.person_id
  }

  /** Returns the person's new email while it awaits confirmation. Null if no change is pending. */
  async pendingEmail(tx: Tx, id: number): Promise<string | null> {
    const { rows } = await sql<{ email: string }>`
      SELECT email FROM ${this.#links} WHERE ${this.#own} person_id = ${id} AND purpose = 'change_email'
        AND used_at IS NULL AND expires_at > ${this.#context.clock.now()} ORDER BY created_at DESC LIMIT 1`.execute(tx)
    return rows[0]?.email ?? null
  }

  /** Voids a person's open links for these purposes. @returns the number of voided links */
  async voidLinks(tx: Tx, id: number, purposes: readonly LinkPurpose[]): Promise<number> {
    const now = this.#context.clock.now()
    const { numAffectedRows } = await sql`
      UPDATE ${this.#links} SET expires_at = ${now}
      WHERE ${this.#own} person_id = ${id} AND purpose IN (${sql.join(purposes)}) AND used_at IS NULL
        AND expires_at > ${now}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  }
}

/**
 * Returns the accounts of the requested host. A call without a session is allowed, because staff can sign in while a
 * company is offline.
 * @throws 404 for an unknown host, another company in the body, or a resident of an offline company
 */
export function realmOf({
  context,
  host,
  body,
  session,
}: Pick<Call, 'context' | 'host' | 'body' | 'session'>): AccountRealm {
  if (host.kind === 'admin') return new AccountRealm(context, null)
  if (host.kind !== 'company' || !host.company) throw notFound('No municipality exists at this address.')
  const { company } = host
  if (session) refuseWhileOffline(company, session)
  const named = (body as { companyId?: unknown }).companyId
  if (named !== undefined && named !== null && named !== '' && Number(named) !== company.id)
    throw notFound('This municipality was not found.')
  return new AccountRealm(context, company)
}

/** Returns the accounts of a company by its id, or of the platform (null). For jobs. */
export async function realmAt(context: AppContext, company: number | null): Promise<AccountRealm | null> {
  if (company === null) return new AccountRealm(context, null)
  const companyRecord = await context.hosts.byId(companyIdFrom('job', company))
  return companyRecord && new AccountRealm(context, companyRecord)
}

/**
 * Returns the session of a person who changes their own account. Not allowed during impersonation.
 * @throws 401 if not signed in, 403 during impersonation
 */
export function ownSession(call: Call): Session {
  const session = signedIn(call)
  if (session.impersonatorId !== null)
    throw notAllowed('You cannot do this while impersonating someone. Only the account owner can do this.')
  return session
}

/**
 * Refuses an account until its owner proves the mailbox by opening an emailed link.
 * @throws 409 if the mailbox is unproven
 */
export function refuseUnproven({ email, proven_at }: Pick<Account, 'email' | 'proven_at'>): void {
  if (proven_at === null)
    throw conflict(
      'confirm_email_first',
      say`Confirm your email first. Open the link that we emailed to ${email}, then try again.`,
    )
}

/**
 * Returns the caller's account.
 * @throws 401 if it no longer exists or is closed
 */
export async function ownAccount(tx: Tx, realm: AccountRealm, session: Session): Promise<Account> {
  const account = await realm.findById(tx, session.personId)
  if (!account || !isOpen(account)) throw notSignedIn()
  return account
}
