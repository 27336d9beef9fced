import type pg from 'pg'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { dateIn, timeIn } from '../../shared/dates.ts'
import { liftLimits } from '../databases.ts'
import type { Env } from '../../server/config.ts'
import type { Provider } from '../../features/payments/server/providers/provider.ts'
import { type TestClock, testClock, testDatabase, type TestPortal, testPortal } from '../harness.ts'
import { ProviderModel, type Scenario } from '../provider-model.ts'
import { openAccounts, openTestCompany, sendBills, setPaymentSettings } from '../company.ts'
import { befallTransactions } from './fates.ts'
import { LATE_STEPS, NUMBERED, ITEMS, TICKET } from './steps.ts'

export const HOST = 'maplegrove.localhost'
const ZONE = 'America/New_York'
const HOUR = 3_600_000
/** Longest possible session, so that one sign-in is enough for runs that take several days. */
const SESSION_HOURS = 720
const RESIDENT = 'resident@maplegrove.example'
/** Start date of the late fees of a ticket that no run uses. The date never arrives, so no late fee is ever due. */
export const NEVER = '9999-01-01'

/** The company in which all runs happen, one after the other. */
export interface RunCompany {
  portal: TestPortal
  company: CompanyId
  platformUrl: string
  /** Session tokens of the people who are signed in. */
  tokens: Record<'manager' | 'admin' | 'resident', string>
  /** Number of the next run. It determines which items the run uses. */
  runs: number
  signedInAt: number
  provider: string
  /** Creates a provider model without data. */
  openProvider: () => ProviderModel
  /** Returns the provider that the portal uses: the model itself, or an adapter that calls the model over HTTP. */
  through: (provider: ProviderModel) => Provider
  /** Scenarios to use instead of those that the provider does not support. */
  paysBy?: Partial<Record<Scenario, Scenario>>
}

/** A company's access to its provider. */
export interface ProviderAccess extends Pick<RunCompany, 'openProvider' | 'through' | 'paysBy'> {
  /** Id of the row for the payment processor. */
  processor: number
  env: Env
}

const DIRECTLY: ProviderAccess = {
  processor: 1,
  env: {},
  openProvider: () => new ProviderModel(),
  through: (provider) => provider,
}

/** Creates the company with the items for this number of runs. */
export async function openRunCompany(
  runs: number,
  reach: (clock: TestClock) => ProviderAccess = () => DIRECTLY,
): Promise<RunCompany> {
  const database = await testDatabase()
  const clock = testClock()
  const { env, processor, ...reached } = reach(clock)
  const sessions = { SESSION_HOURS: String(SESSION_HOURS), SESSION_IDLE_HOURS: String(SESSION_HOURS) }
  const portal = await testPortal({ database, clock, env: { ...sessions, ...env } })
  const company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await setPaymentSettings(portal, { processor_id: processor, refund_limit_cents: 50_00 })
  await addBills(portal, runs)
  await offerPayments(portal.owner, company, runs)
  await writeTickets(portal.owner, company, runs)
  befallTransactions(portal.context)
  const tokens = { manager: '', admin: '', resident: '' }
  const { name: provider } = reached.openProvider()
  await openAccounts(portal, { provider })
  return { portal, company, platformUrl: database.urls.platform, tokens, runs: 0, signedInAt: 0, provider, ...reached }
}

/** Adds two utility accounts for each run. The resident has linked the account that AutoPay pays. */
async function addBills(portal: TestPortal, runs: number): Promise<void> {
  await sendBills(
    portal,
    Array.from({ length: runs * 2 }, (_, n) => ({
      account: `7${n}`,
      bill: `B${n}`,
      amount: `${ITEMS[0].owed / 100}.00`,
    })),
  )
  await portal.owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT a.company_id, p.id, a.id, now() FROM utility_account a JOIN person p ON p.company_id = a.company_id
     WHERE p.email = $1 AND substr(a.account_number, 2)::int % 2 = 0`,
    [RESIDENT],
  )
}

/**
 * Adds two payment types for each run. The first sells a single numbered tag, for which two payers compete. The second
 * accepts partial payments.
 */
async function offerPayments(owner: pg.Pool, company: CompanyId, runs: number): Promise<void> {
  await owner.query(`
    WITH form AS (
      INSERT INTO field_set (company_id, kind, name, draft, created_at, updated_at)
      VALUES (${company}, 'general_payment', 'Fee', '{}', now(), now()) RETURNING id
    )
    INSERT INTO payment_type (company_id, id, status, title, slug, link_code, category, description, gl_account, seen_by,
      amount_kind, amount_cents, in_parts, number_label, field_set_id, created_at, changed_at)
    SELECT ${company}, n, 'open', 'Fee', 'fee-' || n, '', 'other', '', '300', 'everyone', 'fixed', 1500, n % 2,
      CASE n % 2 WHEN 0 THEN 'Tag' ELSE '' END, form.id, now(), now()
    FROM form, generate_series(0, ${runs * 2 - 1}) n`)
  await owner.query(`
    INSERT INTO general_charge (company_id, id, type_id, payer_name, amount_cents, is_numbered, created_at, at)
    SELECT ${company}, n * ${ITEMS.length} + thing, n * 2 + CASE thing WHEN 2 THEN 1 ELSE 0 END, 'Ada Quill',
      (ARRAY[${ITEMS.map(({ owed }) => owed).join(', ')}])[thing + 1], thing IN (${NUMBERED.join(', ')}), now(), now()
    FROM generate_series(0, ${runs - 1}) n, generate_series(2, 4) thing`)
  await owner.query(`
    INSERT INTO payment_stock (company_id, type_id, number)
    SELECT ${company}, n * 2, 'T-' || n FROM generate_series(0, ${runs - 1}) n`)
}

async function writeTickets(owner: pg.Pool, company: CompanyId, runs: number): Promise<void> {
  await owner.query("INSERT INTO parking_settings VALUES ($1, 14, $2, 3, 60, '', '', 'PARKING', 21, false)", [
    company,
    JSON.stringify(LATE_STEPS),
  ])
  await owner.query(`
    WITH violation AS (
      INSERT INTO parking_violation (company_id, code, description, amount_cents)
      VALUES (${company}, '10', 'Expired meter', ${ITEMS[TICKET].owed}) RETURNING *
    )
    INSERT INTO parking_ticket (company_id, id, citation_number, plate, plate_state, violation_id, violation_code, violation_text,
      issued_at, status, fine_cents, due_on, counted_from, contest_until)
    SELECT ${company}, n * ${ITEMS.length} + ${TICKET}, 'MG-' || n, 'R' || n, 'PA', v.id, v.code, v.description,
      now(), 'open', v.amount_cents, '${NEVER}', '${NEVER}', '${NEVER}'
    FROM violation v, generate_series(0, ${runs - 1}) n`)
}

/**
 * Advances the clock to the daytime, because AutoPay does not charge at night. Signs in again before the sessions
 * expire.
 */
export async function startDay(runCompany: RunCompany): Promise<void> {
  const { portal } = runCompany
  const { clock } = portal
  const isNight = (time: string) => time < '08:00' || time >= '17:00'
  while (isNight(timeIn(ZONE, clock.now()))) clock.advance(HOUR)
  if (clock.now().getTime() - runCompany.signedInAt < (SESSION_HOURS - 24) * HOUR) return
  for (const role of ['manager', 'admin', 'resident'] as const)
    runCompany.tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
  runCompany.signedInAt = clock.now().getTime()
}

export const todayIn = ({ portal }: RunCompany): string => dateIn(ZONE, portal.clock.now())
