import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { daysBetween } from '../../../shared/dates.ts'
import type { LedgerAccount } from '../../payments/report.ts'
import { post, transferOf } from '../../payments/server/ledger.ts'
import type { Became } from '../rules.ts'

/** Money arrives at most so many days before or after the day for which it was told. */
const [DAYS_BEFORE, DAYS_AFTER] = [3, 7]
/** In the ledger: what the bank's own lines moved. */
export const BANK = 'bank'

export interface OpenLine {
  id: number
  day: string
  cents: number
  reference: string
  says: string
}

interface Arriving {
  id: number
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
export interface Expected {
  payouts: Arriving[]
  files: LockboxFile[]
  rules: Rule[]
}

export async function expectedAt(tx: Tx, company: CompanyId): Promise<Expected> {
  const payouts = await tx
    .selectFrom('payout')
    .select(['id', 'trace', 'arrives_on as day', 'net_cents as cents'])
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
  return { payouts, files, rules }
}

export type Match =
  | { became: 'payout'; payoutId: number }
  | { became: 'lockbox'; file: string }
  | { became: 'office' | 'fee' | 'not_ours' }

/**
 * What a line is: the payout whose trace number it names, whatever its amount; else the only payout or file of the amount in
 * those days; else what staff taught. What is found is taken away from what is expected, so that it is matched once.
 */
export function matchLine(line: OpenLine, expected: Expected): Match | null {
  const { cents, day } = line
  const words = `${line.reference} ${line.says}`.toUpperCase()
  const near = ({ day: due }: { day: string }) => {
    const late = daysBetween(due, day)
    return late >= -DAYS_BEFORE && late <= DAYS_AFTER
  }
  const onlyOne = <T>(found: T[]) => (found.length === 1 ? found[0] : undefined)
  const payout =
    expected.payouts.find(({ trace }) => words.includes(trace.toUpperCase())) ??
    onlyOne(expected.payouts.filter((one) => one.cents === cents && near(one)))
  if (payout) {
    expected.payouts.splice(expected.payouts.indexOf(payout), 1)
    return { became: 'payout', payoutId: payout.id }
  }
  const file = onlyOne(expected.files.filter((one) => one.cents === cents && near(one)))
  if (file) {
    expected.files.splice(expected.files.indexOf(file), 1)
    return { became: 'lockbox', file: file.name }
  }
  const rule = expected.rules.find(({ says, comesIn }) => comesIn === cents > 0 && words.includes(says.toUpperCase()))
  return rule ? { became: rule.became } : null
}

/** Says what a line is, and books it: what was under way, in the drawers, or the bank's own is at the bank from now on. */
export async function settleLine(
  tx: Tx,
  company: CompanyId,
  line: OpenLine,
  match: Match,
  { at, by, reason = '' }: { at: Date; by: string; reason?: string },
): Promise<void> {
  const became: Became = match.became
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
    await post(tx, company, { orderId: null, source: BANK, sourceRef: `line-${line.id}`, at }, [
      transferOf({ kind: `bank.${match.became}` }, 'bank', from, line.cents),
    ])
}

/** Bank payments are at the bank as soon as its file tells of them; what isn't ours was never in the ledger. */
const cameFrom: Partial<Record<Became, LedgerAccount>> = {
  payout: 'deposits_in_transit',
  office: 'office_cash',
  fee: 'bank_fees',
}
