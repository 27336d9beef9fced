import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { isMunicipalityRole } from '../../../shared/privileges.ts'
import type { AccountRealm } from '../../../server/accounts/account-realms.ts'

/**
 * Purpose of a step that takes several calls. `second` and `enroll` are the purposes of tickets, which a person gets
 * after the password and before the session.
 */
export type StepPurpose = 'second' | 'enroll' | 'passkey' | 'new_app' | 'new_passkey'

export interface SecondStepRow {
  person_id: number | null
  first_method: string
  challenge: string | null
  secret_sealed: string | null
  tries: number
  sso_ticket_hash: Buffer | null
}

export interface Passkey {
  id: number
  person_id: number
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  used_at: Date | null
}

const STEP_MINUTES = 5
/** Wrong codes allowed for a ticket. Then the password is required again. */
const TRIES = 5

/**
 * Store of second factors for one account realm: a company or the platform. The tables for companies and for the
 * platform differ only in the company column.
 */
export class Factors {
  readonly realm: AccountRealm
  readonly context: AppContext
  readonly #own: RawBuilder<unknown>
  readonly #company: readonly [RawBuilder<unknown>, RawBuilder<unknown>]

  constructor(context: AppContext, realm: AccountRealm) {
    this.context = context
    this.realm = realm
    const id = realm.company?.id
    this.#own = id === undefined ? sql`` : sql`company_id = ${id} AND`
    this.#company = id === undefined ? [sql``, sql``] : [sql`company_id,`, sql`${id},`]
  }

  #table(name: 'authenticator' | 'recovery_code' | 'passkey' | 'factor_step') {
    return sql.table(this.realm.company ? name : `platform_${name}`)
  }

  /** True if this person's role requires a second factor in this realm. For residents, a second factor is optional. */
  async isRequired(tx: Tx, roleId: number): Promise<boolean> {
    const { company } = this.realm
    if (company && !isMunicipalityRole(roleId)) return false
    const row = company
      ? await tx
          .selectFrom('identity_settings')
          .select('require_second_factor')
          .where('company_id', '=', company.id)
          .executeTakeFirst()
      : await tx.selectFrom('platform_identity_settings').select('require_second_factor').executeTakeFirst()
    return row?.require_second_factor ?? false
  }

  async findApp(tx: Tx, personId: number) {
    const { rows } = await sql<{ secret_sealed: string; created_at: Date }>`
      SELECT secret_sealed, created_at FROM ${this.#table('authenticator')}
      WHERE ${this.#own} person_id = ${personId}`.execute(tx)
    return rows[0]
  }

  /**
   * Saves the app, replacing an earlier one. `timeStep` is the time step of the confirmation code, which can't be
   * reused.
   */
  async keepApp(tx: Tx, personId: number, secretSealed: string, timeStep: number): Promise<void> {
    await this.dropApp(tx, personId)
    await sql`
      INSERT INTO ${this.#table('authenticator')} (${this.#company[0]} person_id, secret_sealed, last_step, created_at)
      VALUES (${this.#company[1]} ${personId}, ${secretSealed}, ${timeStep}, ${this.context.clock.now()})`.execute(tx)
  }

  /** Deletes the app and its recovery codes. */
  async dropApp(tx: Tx, personId: number): Promise<void> {
    await sql`DELETE FROM ${this.#table('authenticator')} WHERE ${this.#own} person_id = ${personId}`.execute(tx)
    await sql`DELETE FROM ${this.#table('recovery_code')} WHERE ${this.#own} person_id = ${personId}`.execute(tx)
  }

  /** @returns false if a code of this or a later time step was used before */
  async useTimeStep(tx: Tx, personId: number, timeStep: number): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE ${this.#table('authenticator')} SET last_step = ${timeStep}
      WHERE ${this.#own} person_id = ${personId} AND last_step < ${timeStep}`.execute(tx)
    return numAffectedRows === 1n
  }

  async keepRecoveryCodes(tx: Tx, personId: number, marks: readonly Buffer[]): Promise<void> {
    await sql`DELETE FROM ${this.#table('recovery_code')} WHERE ${this.#own} person_id = ${personId}`.execute(tx)
    const rows = marks.map((mark) => sql`(${this.#company[1]} ${personId}, ${mark})`)
    await sql`
      INSERT INTO ${this.#table('recovery_code')} (${this.#company[0]} person_id, mark) VALUES ${sql.join(rows)}`.execute(
      tx,
    )
  }

  async useRecoveryCode(tx: Tx, personId: number, mark: Buffer): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE ${this.#table('recovery_code')} SET used_at = ${this.context.clock.now()}
      WHERE ${this.#own} person_id = ${personId} AND mark = ${mark} AND used_at IS NULL`.execute(tx)
    return numAffectedRows === 1n
  }

  async recoveryCodesLeft(tx: Tx, personId: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM ${this.#table('recovery_code')}
      WHERE ${this.#own} person_id = ${personId} AND used_at IS NULL`.execute(tx)
    return rows[0]?.n ?? 0
  }

  async passkeysOf(tx: Tx, personId: number): Promise<Passkey[]> {
    const { rows } = await sql<Passkey>`
      SELECT id, person_id, credential_id, public_key, counter, transports, name, created_at, used_at
      FROM ${this.#table('passkey')} WHERE ${this.#own} person_id = ${personId} ORDER BY id`.execute(tx)
    return rows
  }

  async findPasskey(tx: Tx, credentialId: string): Promise<Passkey | undefined> {
    const { rows } = await sql<Passkey>`
      SELECT id, person_id, credential_id, public_key, counter, transports, name, created_at, used_at
      FROM ${this.#table('passkey')} WHERE ${this.#own} credential_id = ${credentialId}`.execute(tx)
    return rows[0]
  }

  /** @returns the passkey's id, or null if this passkey is already registered here */
  async addPasskey(tx: Tx, key: Omit<Passkey, 'id' | 'created_at' | 'used_at'>): Promise<number | null> {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO ${this.#table('passkey')}
        (${this.#company[0]} person_id, credential_id, public_key, counter, transports, name, created_at)
      VALUES (${this.#company[1]} ${key.person_id}, ${key.credential_id}, ${key.public_key}, ${key.counter},
        ${JSON.stringify(key.transports)}::jsonb, ${key.name}, ${this.context.clock.now()})
      ON CONFLICT DO NOTHING RETURNING id`.execute(tx)
    return rows[0]?.id ?? null
  }

  async notePasskeyUse(tx: Tx, id: number, counter: number): Promise<void> {
    await sql`
      UPDATE ${this.#table('passkey')} SET counter = ${counter}, used_at = ${this.context.clock.now()}
      WHERE ${this.#own} id = ${id}`.execute(tx)
  }

  /** @returns false if the person has no such passkey */
  async renamePasskey(tx: Tx, personId: number, id: number, name: string): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE ${this.#table('passkey')} SET name = ${name}
      WHERE ${this.#own} person_id = ${personId} AND id = ${id}`.execute(tx)
    return numAffectedRows === 1n
  }

  async dropPasskeys(tx: Tx, personId: number, id?: number): Promise<number> {
    const { numAffectedRows } = await sql`
      DELETE FROM ${this.#table('passkey')}
      WHERE ${this.#own} person_id = ${personId} ${id === undefined ? sql`` : sql`AND id = ${id}`}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  }

  /**
   * Starts a step. `firstMethod` is the method with which the person has signed in so far.
   * @returns the code of the step, which is stored only as a hash
   */
  async addStep(
    tx: Tx,
    purpose: StepPurpose,
    personId: number | null,
    input: { challenge?: string; secretSealed?: string; firstMethod?: string; ssoTicket?: string | undefined } = {},
  ): Promise<string> {
    const code = newSecret()
    const now = this.context.clock.now()
    const until = new Date(now.getTime() + STEP_MINUTES * 60_000)
    const steps = this.#table('factor_step')
    await sql`
      INSERT INTO ${steps} (${this.#company[0]} code_hash, purpose, person_id, first_method, challenge, secret_sealed,
        sso_ticket_hash, created_at, expires_at)
      VALUES (${this.#company[1]} ${hashSecret(code)}, ${purpose}, ${personId}, ${input.firstMethod ?? 'password'}, ${input.challenge ?? null},
        ${input.secretSealed ?? null}, ${input.ssoTicket === undefined ? null : hashSecret(input.ssoTicket)}, ${now}, ${until})`.execute(
      tx,
    )
    return code
  }

  #live(code: string, purpose: StepPurpose) {
    return sql`${this.#own} code_hash = ${hashSecret(code)} AND purpose = ${purpose} AND used_at IS NULL
      AND tries <= ${TRIES} AND expires_at > ${this.context.clock.now()}`
  }

  async findStep(tx: Tx, code: string, purpose: StepPurpose): Promise<SecondStepRow | undefined> {
    const { rows } = await sql<SecondStepRow>`
      SELECT person_id, first_method, challenge, secret_sealed, tries, sso_ticket_hash FROM ${this.#table('factor_step')}
      WHERE ${this.#live(code, purpose)}`.execute(tx)
    return rows[0]
  }

  /**
   * Counts an attempt before the check, so that simultaneous attempts can't exceed the limit.
   * @returns the number of attempts left
   */
  async countAttempt(tx: Tx, code: string, purpose: StepPurpose): Promise<number | null> {
    const { rows } = await sql<{ tries: number }>`
      UPDATE ${this.#table('factor_step')} SET tries = tries + 1
      WHERE ${this.#live(code, purpose)} AND tries < ${TRIES} RETURNING tries`.execute(tx)
    return rows[0] ? TRIES - rows[0].tries : null
  }

  /**
   * Marks a step as used.
   * @returns false if the step has expired or was already used
   */
  async takeStep(tx: Tx, code: string, purpose: StepPurpose): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE ${this.#table('factor_step')} SET used_at = ${this.context.clock.now()}
      WHERE ${this.#live(code, purpose)}`.execute(tx)
    return numAffectedRows === 1n
  }

  /**
   * Saves the challenge or the secret of a step. A new challenge replaces the old one, but an existing secret never
   * changes.
   */
  async noteStep(
    tx: Tx,
    code: string,
    purpose: StepPurpose,
    input: { challenge?: string; secretSealed?: string },
  ): Promise<void> {
    await sql`
      UPDATE ${this.#table('factor_step')}
      SET challenge = coalesce(${input.challenge ?? null}, challenge),
        secret_sealed = coalesce(secret_sealed, ${input.secretSealed ?? null})
      WHERE ${this.#live(code, purpose)}`.execute(tx)
  }

  /** Invalidates a person's open steps after the person's factors or sign-in methods have changed. */
  async voidSteps(tx: Tx, personId: number): Promise<void> {
    await sql`
      UPDATE ${this.#table('factor_step')} SET used_at = ${this.context.clock.now()}
      WHERE ${this.#own} person_id = ${personId} AND used_at IS NULL`.execute(tx)
  }
}
