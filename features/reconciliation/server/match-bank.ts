import { type Selectable, sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { daysBetween } from '../../../shared/dates.ts'
import type { LedgerAccount } from '../../payments/report.ts'
import { post, transferOf } from '../../payments/server/ledger.ts'
import type { LineResolution } from '../rules.ts'
import { providerName } from './provider-name.ts'

/** Money arrives at most so many days before or after the day for which it was told. */
const [DAYS_BEFORE, DAYS_AFTER] = [3, 7]
/** In the ledger: what the bank's own lines moved. */
export const BANK = 'bank'

export interface OpenLine {
  id: number
  /** Number of the decision that is to be made. */
  version: number
  day: string
  cents: number
  reference: string
  says: string
}

interface ArrivingPayout {
  id: number
  /** As people call it, and the bank's lines may too. */
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
  says: string
  comesIn: boolean
  became: 'office' | 'fee' | 'not_ours'
}

/** What may arrive at the bank, and what staff taught: read once for all lines of a statement. */
export interface ExpectedReceipts {
  payouts: ArrivingPayout[]
  files: LockboxFile[]
  rules: Rule[]
  /** The names of all providers there are. */
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
      AND NOT EXISTS (SELECT FROM bank_line b WHERE b.company_id = ${company} AND b.lockbox_file = p.file_name)
    GROUP BY p.file_name ORDER BY 2, 1`.execute(tx)
  const rules = await tx
    .selectFrom('bank_rule')
    .select(['says', 'comes_in as comesIn', 'became'])
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

/** What a line is: a payout, a file of bank payments, or what staff taught. What is found is taken away from what is expected. */
export function matchLine(line: OpenLine, expected: ExpectedReceipts): Match | null {
  const { cents } = line
  const words = `${line.reference} ${line.says}`.toUpperCase()
  const payout = payoutOf(line, words, expected)
  if (payout) {
    expected.payouts.splice(expected.payouts.indexOf(payout), 1)
    return { became: 'payout', payoutId: payout.id }
  }
  const file = onlyOne(expected.files.filter((one) => one.cents === cents && isNear(one, line)))
  if (file) {
    expected.files.splice(expected.files.indexOf(file), 1)
    return { became: 'lockbox', file: file.name }
  }
  const rule = expected.rules.find(({ says, comesIn }) => comesIn === cents > 0 && words.includes(says.toUpperCase()))
  return rule ? { became: rule.became } : null
}

/**
 * The payout whose trace number the line names, whatever its amount; else the only one of the amount in those days, of the
 * provider that the line names, where it names one. Where two are as likely nobody guesses: a person says which it is.
 */
function payoutOf(line: OpenLine, words: string, { payouts, providers }: ExpectedReceipts): ArrivingPayout | undefined {
  const told = providers.filter((name) => namesWhole(words, name.toUpperCase()))
  const isOfTold = ({ provider }: ArrivingPayout) => told.length === 0 || told.includes(provider)
  const isAmount = ({ cents }: ArrivingPayout) => cents === line.cents
  const named = namedIn(words, payouts)
  if (named.length === 0) return onlyOne(payouts.filter((one) => isAmount(one) && isOfTold(one) && isNear(one, line)))
  const likely = rather(rather(named, isOfTold), isAmount)
  const distance = ({ day }: ArrivingPayout) => Math.abs(daysBetween(day, line.day))
  const least = Math.min(...likely.map(distance))
  return onlyOne(likely.filter((one) => distance(one) === least))
}

/** The payouts whose number stands in the words: as a word of its own, or within one, where banks write it without a blank. */
function namedIn(words: string, payouts: readonly ArrivingPayout[]): readonly ArrivingPayout[] {
  const withNumber = payouts.filter(({ trace }) => trace !== '' && words.includes(trace.toUpperCase()))
  const whole = withNumber.filter(({ trace }) => namesWhole(words, trace.toUpperCase()))
  if (whole.length > 0) return whole
  const longest = Math.max(...withNumber.map(({ trace }) => trace.length))
  return withNumber.filter(({ trace }) => trace.length === longest)
}

function namesWhole(words: string, name: string): boolean {
  const isLetter = (at: number) => /[A-Z\d]/.test(words[at] ?? '')
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + name.length)) return true
  return false
}

/** Those of which it is true, where there are any. */
function rather<T>(all: readonly T[], is: (one: T) => boolean): readonly T[] {
  const some = all.filter(is)
  return some.length > 0 ? some : all
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)

function isNear({ day: due }: { day: string }, { day }: OpenLine): boolean {
  const late = daysBetween(due, day)
  return late >= -DAYS_BEFORE && late <= DAYS_AFTER
}

/** Says what a line is, and books it: what was under way, in the drawers, or the bank's own is at the bank from now on. */
export async function settleLine(
  tx: Tx,
  company: CompanyId,
  line: OpenLine,
  match: Match,
  { at, by, reason = '' }: { at: Date; by: string; reason?: string },
): Promise<void> {
  const became: LineResolution = match.became
  await changeRow(tx, 'bank_line', company, line.id, {
    became,
    payout_id: match.became === 'payout' ? match.payoutId : null,
    lockbox_file: match.became === 'lockbox' ? match.file : null,
    settled_at: at,
    settled_by: by,
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

type DecidedLine = Pick<Selectable<Schema['bank_line']>, 'id' | 'version' | 'amount_cents' | 'became' | 'payout_id'>

/**
 * Undoes the decision about a line: posts the opposite transfer today, and opens the line and its payout again. The next
 * decision has a number of its own.
 */
export async function undoLine(tx: Tx, company: CompanyId, line: DecidedLine, at: Date): Promise<void> {
  const from = cameFrom[line.became]
  if (from)
    await post(tx, company, { orderId: null, source: BANK, sourceRef: decisionRef('line', line), at }, [
      transferOf({ kind: `bank.${line.became}.undone` }, 'bank', from, -line.amount_cents),
    ])
  await changeRow(tx, 'bank_line', company, line.id, {
    ...{ became: 'open', payout_id: null, lockbox_file: null, settled_at: null, settled_by: '', reason: '' },
    version: line.version + 1,
  })
  if (line.payout_id !== null)
    await changeRow(tx, 'payout', company, line.payout_id, { deposited_cents: null, deposited_on: null })
}

/** Reference of a decision in the ledger: `line-17`, and `line-17.v2` after the first one was undone. */
export const decisionRef = (of: 'line' | 'difference', { id, version }: { id: number; version: number }): string =>
  version === 1 ? `${of}-${id}` : `${of}-${id}.v${version}`

/** Bank payments are at the bank as soon as its file tells of them; what isn't ours was never in the ledger. */
const cameFrom: Partial<Record<LineResolution, LedgerAccount>> = {
  payout: 'deposits_in_transit',
  office: 'office_cash',
  fee: 'bank_fees',
}
