import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { daysOf, type UsageKind, sumOf, type UsageSeries } from '../rules.ts'
import type { Bill } from './bills.ts'

interface UsageReading {
  service: string
  unit: string
  read_date: string
  days: number
  used: number
  reading: number
  kind: Exclude<UsageKind, 'billed'>
}

/**
 * Loads usage from meter readings, or from quantities on bills if the account has no readings. `bills` must start with
 * the newest bill.
 */
export async function usesOf(tx: Tx, company: CompanyId, account: number, from: string, bills: readonly Bill[]) {
  const { rows } = await sql<UsageReading>`
    SELECT service, unit, read_date, days, used, reading, kind FROM meter_reading
    WHERE company_id = ${company} AND account_id = ${account} AND read_date >= ${from}::date
    ORDER BY read_date, meter_number`.execute(tx)
  return rows.length > 0 ? fromReads(rows) : fromBills(bills)
}

/** Adds up the readings of all meters with the same unit and reading day. */
function fromReads(reads: readonly UsageReading[]): UsageSeries[] {
  return [...Map.groupBy(reads, ({ unit }) => unit)].map(([unit, those]) => ({
    ...{ service: those.at(-1)?.service ?? '', unit, source: 'reads' },
    uses: [...Map.groupBy(those, ({ read_date }) => read_date)].map(([until, same]) => ({
      until,
      days: Math.max(...same.map(({ days }) => days)),
      used: sumOf(same.map(({ used }) => used)),
      reading: sumOf(same.map(({ reading }) => reading)),
      kind: kinds.find((kind) => same.some((read) => read.kind === kind)) ?? 'actual',
    })),
  }))
}

/**
 * Kinds of readings in order of precedence. If several readings are added up and one is an estimate, the total counts
 * as an estimate.
 */
const kinds = ['estimated', 'corrected', 'actual'] as const

/**
 * Derives usage from bills. Uses only the first line of each unit, because sewer lines repeat the usage of the water
 * meter.
 */
function fromBills(bills: readonly Bill[]): UsageSeries[] {
  const measured = bills.toReversed().flatMap((bill) => {
    const lines = bill.lines.filter(({ quantity, unit }) => quantity !== null && unit !== '')
    const firsts = [...Map.groupBy(lines, ({ unit }) => unit).values()].flatMap(([first]) => first ?? [])
    return firsts.map(({ service, unit, quantity }) => ({ service, unit, used: quantity ?? 0, bill }))
  })
  return [...Map.groupBy(measured, ({ unit }) => unit)].map(([unit, those]) => ({
    ...{ service: those.at(-1)?.service ?? '', unit, source: 'bills' },
    uses: those.map(({ used, bill }) => ({
      ...{ until: bill.period_end, days: daysOf(bill), used, reading: null, kind: 'billed' },
    })),
  }))
}
