import { type Selectable, sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { daysBetween } from '../../../shared/dates.ts'
import type { LedgerAccount } from '../../payments/rules-ledger.ts'
import { post, transferOf } from '../../payments/api.ts'
import type { LineResolution } from '../rules.ts'
import { providerName } from './provider-name.ts'

/** Maximum number of days before and after the expected day on which money may arrive. */
const [DAYS_BEFORE, DAYS_AFTER] = [3, 7]
/** Ledger source of transfers that come from bank lines. */
export const BANK = 'bank'

export interface OpenLine {
  id: number
  /** Number of the next decision about this line. */
  version: number
  day: string
  cents: number
  reference: string
  text: string
}

interface ArrivingPayout {
  id: number
  /** Name of the provider as shown on screens. Bank lines may contain it. */
  provider: string
  trace: string
  day: string
  cents: number
}
interface LockboxFile {
  name: string
  day: string
  cents: number
}
interface Rule {
  text: string
  comesIn: boolean
  became: 'office' | 'fee' | 'not_ours'
}

/** Expected money and the matching rules, loaded once for all lines of a statement. */
export interface ExpectedReceipts {
  payouts: ArrivingPayout[]
  files: LockboxFile[]
  rules: Rule[]
  /** Names of all providers. */
  providers: string[]
}

export async function expectedAt(tx: Tx, company: CompanyId): Promise<ExpectedReceipts> {
  const payouts = await tx
    .selectFrom('payout')
    .select(['id', 'trace', 'arrives_on as day', 'net_cents as cents'])
    .select(providerName(sql`payout.provider`).as('provider'))
    .where('company_id', '=', company)
    .where('deposited_cents', 'is', null)
    .orderBy('arrives_on')
    .orderBy('id')
    .execute()
  const { rows: files } = await sql<LockboxFile>`
    SELECT p.file_name AS name, max(p.paid_on)::text AS day, sum(p.amount_cents)::bigint AS cents
    FROM lockbox_payment p WHERE p.company_id = ${company} AND p.currency = 'USD'
      AND NOT EXISTS (SELECT FROM bank_transaction b WHERE b.company_id = ${company} AND b.lockbox_file = p.file_name)
    GROUP BY p.file_name ORDER BY 2, 1`.execute(tx)
  const rules = await tx
    .selectFrom('bank_rule')
    .select(['match_text as text', 'comes_in as comesIn', 'became'])
    .where('company_id', '=', company)
    .orderBy('id')
    .execute()
  const providers = await tx.selectFrom('processor').select('name').execute()
  return { payouts, files, rules, providers: providers.map(({ name }) => name) }
}

export type Match =
  | { became: 'payout'; payoutId: number }
  | { became: 'lockbox'; file: string }
  | { became: 'office' | 'fee' | 'not_ours' }

/**
 * Matches a line to a payout, a lockbox file or a matching rule. Removes the matched payout or file from the expected
 * receipts.
 */
export function matchLine(line: OpenLine, expected: ExpectedReceipts): Match | null {
  const { cents } = line
  const lineText = `${line.reference} ${line.text}`.toUpperCase()
  const payout = payoutOf(line, lineText, expected)
  if (payout) {
    expected.payouts.splice(expected.payouts.indexOf(payout), 1)
    return { became: 'payout', payoutId: payout.id }
  }
  const file = onlyOne(expected.files.filter((one) => one.cents === cents && isNear(one, line)))
  if (file) {
    expected.files.splice(expected.files.indexOf(file), 1)
    return { became: 'lockbox', file: file.name }
  }
  const rule = expected.rules.find(
    ({ text, comesIn }) => comesIn === cents > 0 && lineText.includes(text.toUpperCase()),
  )
  return rule ? { became: rule.became } : null
}

/**
 * Finds the payout for a line. If the line contains a payout number, that payout matches, whatever its amount.
 * Otherwise exactly one payout of these days must have the amount of the line. If the line names a provider, the payout
 * must come from that provider. Returns undefined if several payouts fit.
 */
function payoutOf(
  line: OpenLine,
  lineText: string,
  { payouts, providers }: ExpectedReceipts,
): ArrivingPayout | undefined {
  const namedProviders = providers.filter((name) => namesWhole(lineText, name.toUpperCase()))
  const isOfNamedProvider = ({ provider }: ArrivingPayout) =>
    namedProviders.length === 0 || namedProviders.includes(provider)
  const isAmount = ({ cents }: ArrivingPayout) => cents === line.cents
  const named = namedIn(lineText, payouts)
  if (named.length === 0)
    return onlyOne(payouts.filter((one) => isAmount(one) && isOfNamedProvider(one) && isNear(one, line)))
  const likely = preferMatching(preferMatching(named, isOfNamedProvider), isAmount)
  const distance = ({ day }: ArrivingPayout) => Math.abs(daysBetween(day, line.day))
  const minDistance = Math.min(...likely.map(distance))
  return onlyOne(likely.filter((one) => distance(one) === minDistance))
}

/**
 * Finds payouts by their numbers in the text. The number may be part of a longer word, because some banks omit the
 * space before it.
 */
function namedIn(lineText: string, payouts: readonly ArrivingPayout[]): readonly ArrivingPayout[] {
  const withNumber = payouts.filter(({ trace }) => trace !== '' && lineText.includes(trace.toUpperCase()))
  const whole = withNumber.filter(({ trace }) => namesWhole(lineText, trace.toUpperCase()))
  if (whole.length > 0) return whole
  const maxLength = Math.max(...withNumber.map(({ trace }) => trace.length))
  return withNumber.filter(({ trace }) => trace.length === maxLength)
}

function namesWhole(text: string, name: string): boolean {
  const isWordChar = (at: number) => /[A-Z\d]/.test(text[at] ?? '')
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isWordChar(at - 1) && !isWordChar(at + name.length)) return true
  return false
}

/** Returns the entries that meet the condition, or all if none does. */
function preferMatching<T>(all: readonly T[], is: (one: T) => boolean): readonly T[] {
  const some = all.filter(is)
  return some.length > 0 ? some : all
}

const onlyOne = <T>(candidates: readonly T[]): T | undefined => (candidates.length === 1 ? candidates[0] : undefined)

function isNear({ day: due }: { day: string }, { day }: OpenLine): boolean {
  const late = daysBetween(due, day)
  return late >= -DAYS_BEFORE && late <= DAYS_AFTER
}

/**
 * Saves the match of a line and books it. The money moves to the bank account from deposits in transit, cash drawers or
 * other ledger accounts.
 */
export async function resolveLine(
  tx: Tx,
  company: CompanyId,
  line: OpenLine,
  match: Match,
  { at, by, reason = '' }: { at: Date; by: string; reason?: string },
): Promise<void> {
  const became: LineResolution = match.became
  await changeRow(tx, 'bank_transaction', company, line.id, {
    became,
    payout_id: match.became === 'payout' ? match.payoutId : null,
    lockbox_file: match.became === 'lockbox' ? match.file : null,
    finished_at: at,
    finished_by: by,
    reason,
  })
  if (match.became === 'payout')
    await changeRow(tx, 'payout', company, match.payoutId, { deposited_cents: line.cents, deposited_on: line.day })
  const from = cameFrom[match.became]
  if (from)
    await post(tx, company, { orderId: null, source: BANK, sourceRef: decisionRef('line', line), at }, [
      transferOf({ kind: `bank.${match.became}` }, 'bank', from, line.cents),
    ])
}

type DecidedLine = Pick<
  Selectable<Schema['bank_transaction']>,
  'id' | 'version' | 'amount_cents' | 'became' | 'payout_id'
>

/**
 * Undoes the decision about a line. Posts the reverse transfer today and reopens the line and its payout. The next
 * decision has a new version number.
 */
export async function undoLine(tx: Tx, company: CompanyId, line: DecidedLine, at: Date): Promise<void> {
  const from = cameFrom[line.became]
  if (from)
    await post(tx, company, { orderId: null, source: BANK, sourceRef: decisionRef('line', line), at }, [
      transferOf({ kind: `bank.${line.became}.undone` }, 'bank', from, -line.amount_cents),
    ])
  await changeRow(tx, 'bank_transaction', company, line.id, {
    ...{ became: 'open', payout_id: null, lockbox_file: null, finished_at: null, finished_by: '', reason: '' },
    version: line.version + 1,
  })
  if (line.payout_id !== null)
    await changeRow(tx, 'payout', company, line.payout_id, { deposited_cents: null, deposited_on: null })
}

/** Returns the ledger reference of a decision: `line-17`, or `line-17.v2` after the first decision was undone. */
export const decisionRef = (of: 'line' | 'difference', { id, version }: { id: number; version: number }): string =>
  version === 1 ? `${of}-${id}` : `${of}-${id}.v${version}`

/**
 * Ledger accounts that the matched money comes from. Lockbox payments count as deposited when their file is imported.
 * Money that has nothing to do with the portal was never in the ledger.
 */
const cameFrom: Partial<Record<LineResolution, LedgerAccount>> = {
  payout: 'deposits_in_transit',
  office: 'office_cash',
  fee: 'bank_fees',
}
