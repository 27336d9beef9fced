import { Readable } from 'node:stream'
import { businesses, firstNames, lastNames } from '../../database/names.ts'
import type { Random } from '../../database/random.ts'
import type { DemoCompany, Household, DemoHousehold } from '../../database/towns/town.ts'
import type { Clock } from '../../server/clock.ts'
import type { Pools } from '../../server/db/pool.ts'
import type { BillLine } from '../../server/db/column-types.ts'
import { addDays, dateIn } from '../../shared/dates.ts'
import { plainDollars } from '../../shared/money.ts'
import { importBills } from './server/import-bills.ts'

/**
 * Usual payment method of a household. A payment by `mail` bypasses the portal, and the billing system reports the
 * payment.
 */
export type Payer = 'card' | 'echeck' | 'autopay' | 'office' | 'phone' | 'mail'

export interface DemoBill {
  number: string
  date: string
  dueDate: string
  periodStart: string
  periodEnd: string
  lines: BillLine[]
  amountCents: number
  paidElsewhereCents: number
}

export interface DemoAccount extends Household {
  route: string
  payer: Payer
  /** True if the account's latest bill is unpaid. */
  owes: boolean
  /** Bills, oldest first. */
  bills: DemoBill[]
}

/** Number of monthly bills for each account: one year and the latest bill. */
const MONTHS = 13
const DUE_AFTER_DAYS = 21
/** Days since the last billing of routes R1 to R4. Each route is billed a week after the previous one. */
const BILLED_AGO = [3, 10, 17, 24]

/** Water usage factor of each month. Gardens and pools cause the summer peak. */
const SEASON = [0.9, 0.88, 0.92, 0.98, 1.08, 1.32, 1.5, 1.46, 1.18, 1, 0.92, 0.94]

/** Factor of water usage if a toilet runs all month. */
const LEAK = 2.4

/** Rates in cents. Water and sewer rates are per thousand gallons, in addition to the base charge. */
const rates = { water: 685, waterBase: 1250, sewer: 740, sewerBase: 1400, refuse: 2275, stormwater: 743 }

/** Creates a company's accounts with thirteen months of bills each. */
export function makeAccounts(random: Random, demoCompany: DemoCompany, today: string): DemoAccount[] {
  const { utilities } = demoCompany
  if (!utilities) return []
  const houses = new Set<string>(Object.values(utilities.households).map((context) => context.address))
  return Array.from({ length: utilities.accounts }, (_, at) => {
    const number = String(utilities.firstAccount + at)
    const household = utilities.households[number]
    const business = !household && random.chance(0.07)
    const name =
      household?.name ?? (business ? random.pick(businesses) : `${random.pick(firstNames)} ${random.pick(lastNames)}`)
    const email = household?.email ?? (random.chance(0.8) ? emailOf(random, name) : '')
    const phone = `${demoCompany.company.phone.slice(0, 3)}5550${random.int(100, 199)}`
    const address = household?.address ?? freeAddress(random, utilities.streets, houses)
    // AutoPay requires a portal account, so only card payers with an email can become AutoPay payers below.
    const usual: Payer =
      household?.payer ??
      random.weighted({ card: 0.31, echeck: 0.09, autopay: 0.13, office: 0.07, phone: 0.03, mail: 0.37 })
    const account = {
      number,
      name,
      email,
      phone,
      address,
      payer: household?.payer ?? (usual === 'card' && at % 4 === 0 && email !== '' ? 'autopay' : usual),
      owes: household?.newestUse !== undefined,
    }
    const ofSome = business ? random.int(60, 400) : random.int(25, 85)
    // A household with a leak gets an average size. Otherwise, the extra usage would not stand out.
    const size = household?.leaks ? 60 : ofSome
    // Households in the demo documentation were billed ten days ago.
    const billedAgo = household ? 10 : random.pick(BILLED_AGO)
    const route = `R${BILLED_AGO.indexOf(billedAgo) + 1}`
    return { ...account, route, bills: billsOf(random, account, addDays(today, -billedAgo), size, household ?? {}) }
  })
}

function billsOf(
  random: Random,
  account: Omit<DemoAccount, 'bills' | 'route'>,
  newest: string,
  size: number,
  { newestUse, leaks }: Pick<DemoHousehold, 'newestUse' | 'leaks'>,
): DemoBill[] {
  return Array.from({ length: MONTHS }, (_, at) => {
    const back = MONTHS - 1 - at
    const date = monthsBefore(newest, back)
    const periodStart = monthsBefore(newest, back + 1)
    const [season, seasonBefore] = [1, 2].map(
      (ago) => SEASON[(Number(periodStart.slice(5, 7)) + 12 - ago) % 12] ?? 1,
    ) as [number, number]
    const usual = Math.max(3, Math.round(size * season * (0.85 + random.next() * 0.3)))
    const newestOne = newestUse ?? (leaks ? Math.round(size * Math.max(season, seasonBefore) * 1.15 * LEAK) : usual)
    const lines = linesFor(back === 0 ? newestOne : usual)
    const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
    const isPaid = !account.owes || back > 0
    const elsewhere = account.payer === 'mail' && isPaid && (back > 0 || random.chance(0.3))
    return {
      number: `${date.slice(0, 7).replace('-', '')}-${account.number}`,
      date,
      dueDate: addDays(date, DUE_AFTER_DAYS),
      periodStart,
      periodEnd: addDays(date, -1),
      lines,
      amountCents,
      paidElsewhereCents: elsewhere ? amountCents : 0,
    }
  })
}

/**
 * Builds the bill lines for a month.
 * @param use water usage in tenths of a thousand gallons
 */
export function linesFor(use: number): BillLine[] {
  const metered = (service: string, description: string, base: number, rate: number): BillLine => ({
    service,
    description,
    quantity: use / 10,
    unit: 'thousand gallons',
    amountCents: base + Math.round((rate * use) / 10),
  })
  const flat = (service: string, description: string, amountCents: number): BillLine => ({
    service,
    description,
    quantity: null,
    unit: '',
    amountCents,
  })
  return [
    metered('Water', 'Base charge and use', rates.waterBase, rates.water),
    metered('Sewer', 'Base charge and use', rates.sewerBase, rates.sewer),
    flat('Refuse and recycling', 'Weekly collection', rates.refuse),
    flat('Stormwater', 'One lot', rates.stormwater),
  ]
}

/** Returns the same day `months` months earlier. The 29th to 31st become the 28th. */
function monthsBefore(date: string, months: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months
  const day = months === 0 ? date.slice(8) : String(Math.min(28, Number(date.slice(8)))).padStart(2, '0')
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-${day}`
}

function emailOf(random: Random, name: string): string {
  const [first = '', last = ''] = name
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .split(' ')
  return random.chance(0.5)
    ? `${first}.${last || 'office'}@mail.example`
    : `${first.slice(0, 1)}${last || first}${random.int(2, 98)}@post.example`
}

/** Picks a random unused address. */
function freeAddress(random: Random, streets: readonly string[], taken: Set<string>): string {
  for (;;) {
    const address = `${random.int(1, 480)} ${random.pick(streets)}`
    if (taken.has(address)) continue
    taken.add(address)
    return address
  }
}

const GROUPS = 4
const FIXED_COLUMNS =
  'account_number,customer_name,customer_email,phone,route,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,amount_paid'
const GROUP = ['service', 'description', 'quantity', 'unit', 'amount']
const HEADER = [
  FIXED_COLUMNS,
  ...Array.from({ length: GROUPS }, (_, at) => GROUP.map((name) => `${name}_${at + 1}`).join(',')),
].join(',')

const cell = (value: string | number | null) => {
  const text = String(value ?? '')
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats bills as a billing system's CSV file, so that the demo uses the real import. */
export function billFile(accounts: readonly DemoAccount[], { city, state, zip }: DemoCompany['company']): Readable {
  return Readable.from(
    (function* () {
      yield `${HEADER}\n`
      for (const account of accounts) {
        const { number, name, email, phone, route, address } = account
        const holder = [number, name, email, phone, route, address, city, state, zip]
        const rows = account.bills.map((bill) => {
          const billCells = [bill.number, bill.date, bill.dueDate, bill.periodStart, bill.periodEnd]
          const lines = bill.lines.flatMap((line) => [
            line.service,
            line.description,
            line.quantity,
            line.unit,
            plainDollars(line.amountCents),
          ])
          return [...holder, ...billCells, plainDollars(bill.paidElsewhereCents), ...lines]
        })
        yield `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`
      }
    })(),
  )
}

/** Creates a company's accounts and bills, and loads them through the import. */
export async function importAccounts(
  { db, clock }: { db: Pools; clock: Clock },
  random: Random,
  demoCompany: DemoCompany,
  timeZone: string,
): Promise<DemoAccount[]> {
  const accounts = makeAccounts(random, demoCompany, dateIn(timeZone, clock.now()))
  if (accounts.length === 0) return accounts
  const deps = { db, clock, log: { info: () => {} } }
  const { errorCount, invalidRows } = await importBills(
    deps,
    demoCompany.company.subdomain,
    billFile(accounts, demoCompany.company),
  )
  if (errorCount > 0)
    throw new Error(`the demo's bills are refused: line ${invalidRows[0]?.line}: ${invalidRows[0]?.reason}`)
  return accounts
}
