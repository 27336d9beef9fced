import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { auditCompany, type Actor } from '../../server/audit.ts'
import type { Clock } from '../../server/clock.ts'
import type { DemoPart } from '../../server/demo.ts'
import { companyIdFrom, type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt } from '../../shared/dates.ts'
import { roles } from '../../shared/privileges.ts'
import { NOT_ANY } from '../../shared/processor-reports.ts'
import { methods } from '../payments/rules.ts'
import { figuresOf, yearOf } from './server/gross.ts'

/**
 * Differences between the provider's report and the ledger, in cents. In one company the provider deducted a refund.
 * The other company has no difference.
 */
const differs = new Map([
  [mapleGrove.company.subdomain, 0],
  [harborCity.company.subdomain, -84_17],
])

/** Adds last year's Form 1099-K and the access log of the processor reports. Runs after all payments exist. */
export const demo: DemoPart = {
  async after({ db, clock }) {
    const { rows } = await db.platform.query<{ id: number; subdomain: string; name: string; zone: string }>(
      'SELECT c.id, c.subdomain, c.name, z.zone FROM company c JOIN timezone z ON z.id = c.timezone_id',
    )
    for (const { id, subdomain, name, zone } of rows) {
      const differsBy = differs.get(subdomain)
      if (differsBy === undefined) continue
      const demoCompany = { id: companyIdFrom('platform', id), timeZone: zone, name }
      await tenancyOn(db.app)(demoCompany.id, async (tx) => {
        await typeIn(tx, clock, demoCompany, differsBy)
        await viewReports(tx, clock, demoCompany)
      })
    }
  },
}

interface DemoMerchantCompany {
  id: CompanyId
  timeZone: string
  name: string
}

async function typeIn(tx: Tx, clock: Clock, demoCompany: DemoMerchantCompany, differsBy: number): Promise<void> {
  const today = dateIn(demoCompany.timeZone, clock.now())
  const year = Number(today.slice(0, 4)) - 1
  const figures = figuresOf(await yearOf(tx, demoCompany, year), methods.card)
  const last = figures.monthCents.findLastIndex((cents) => cents > 0)
  const cents = figures.monthCents.map((month, n) => (n === last ? month + differsBy : month))
  await tx
    .insertInto('form_1099k')
    .values({
      ...{
        company_id: demoCompany.id,
        year,
        filer: 'Sandbox Payments, Inc.',
        payee: demoCompany.name,
        tin_last4: '4417',
      },
      gross_cents: figures.grossCents + (last < 0 ? 0 : differsBy),
      not_present_cents: figures.notPresentCents + (last < 0 ? 0 : differsBy),
      transactions: figures.transactions,
      month_cents: JSON.stringify(cents),
      saved_at: instantAt(demoCompany.timeZone, `${year + 1}-02-03`, '10:15'),
      saved_by: 'The office',
    })
    .execute()
}

/** Adds a few report accesses by each staff member. */
async function viewReports(tx: Tx, clock: Clock, { id: company, timeZone }: DemoMerchantCompany): Promise<void> {
  const today = dateIn(timeZone, clock.now())
  const people = await tx
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name', 'role_id'])
    .where('company_id', '=', company)
    .where('role_id', 'in', [roles.municipalityAdmin, roles.municipalityStaff])
    .orderBy('id')
    .limit(2)
    .execute()
  const reads = [
    ...[
      { ago: 27, how: 'menu_click_processor_reports', page: NOT_ANY },
      { ago: 27, how: 'open_report', page: 'payouts' },
    ],
    ...[
      { ago: 16, how: 'menu_click_processor_reports', page: NOT_ANY },
      { ago: 16, how: 'open_report', page: 'disputes' },
      { ago: 16, how: 'export_report', page: 'payments' },
    ],
    ...[
      { ago: 2, how: 'menu_click_processor_reports', page: NOT_ANY },
      { ago: 2, how: 'open_report', page: 'overview' },
    ],
  ]
  for (const [n, { ago, how, page }] of reads.entries()) {
    const person = people[ago % people.length]
    if (!person) return
    const at = instantAt(timeZone, addDays(today, -ago), `10:${String(10 + n)}`)
    const session = { kind: 'municipality', personId: person.id, impersonatorId: null } as Actor['session']
    await auditCompany(
      tx,
      { now: () => at },
      company,
      { session, requestId: '' },
      {
        action: 'processor_report.opened',
        detail: { how, processor: page === NOT_ANY ? NOT_ANY : '1', page },
      },
    )
  }
}
