import type { DemoCompany } from '../../database/towns/town.ts'
import type { Clock } from '../../server/clock.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, formatDate } from '../../shared/dates.ts'
import { modules } from '../../shared/modules.ts'
import { defaultServices } from './rules.ts'
import { openCompany } from './server/create-company.ts'
import { ruleOf, writeFeeRules } from '../payments/api.ts'

/**
 * Creates a demo company as an administrator does, then adds the settings that an administrator enters on later
 * screens.
 */
export async function openDemoCompany(
  tx: Tx,
  clock: Clock,
  demoCompany: DemoCompany,
): Promise<{ id: CompanyId; timeZone: string }> {
  const id = await openCompany(
    tx,
    clock,
    { session: null, requestId: '', kind: 'system' },
    demoCompany.company,
    'sandbox',
  )
  const { zone } = await tx
    .selectFrom('timezone')
    .select('zone')
    .where('id', '=', demoCompany.company.timeZone)
    .executeTakeFirstOrThrow()
  const today = dateIn(zone, clock.now())
  await tx
    .updateTable('company')
    .set({
      ...demoCompany.theme,
      license_no: demoCompany.license,
      is_demo: 1,
      shares_records: demoCompany.sharesRecords ? 1 : 0,
      offline_msg: demoCompany.offlineMessage,
      site_wide_message: demoCompany.siteWideMessage.replaceAll('{date}', formatDate(addDays(today, 10))),
    })
    .where('id', '=', id)
    .execute()
  const off = (demoCompany.modulesOff ?? []).map((name): string => modules[name].url)
  const inactive = (url: string) => off.includes(url)
  await tx.updateTable('company').set({ modules_off: off }).where('id', '=', id).execute()
  const closed = defaultServices.filter(({ url }) => inactive(url)).map((service) => service.id)
  if (closed.length > 0)
    await tx
      .updateTable('company_service')
      .set({ is_active: 0 })
      .where('company_id', '=', id)
      .where('id', 'in', closed)
      .execute()
  const more = demoCompany.services.map((service, at) => ({
    ...service,
    company_id: id,
    position: defaultServices.length + at + 1,
  }))
  if (more.length > 0) await tx.insertInto('company_service').values(more).execute()
  const notices = demoCompany.notices.map(({ location, message, days }) => ({
    company_id: id,
    location,
    message,
    until: addDays(today, days),
  }))
  if (notices.length > 0) await tx.insertInto('company_announcement').values(notices).execute()
  await addDemoFees(tx, id, demoCompany.absorbsFee ? 1 : 0, today)
  return { id, timeZone: zone }
}

/**
 * Adds a demo company's fees, which increased in the past year. These fees are older than the check against the card
 * network rules, so they need not pass that check.
 */
async function addDemoFees(tx: Tx, company: CompanyId, absorb: 0 | 1, today: string): Promise<void> {
  await tx.deleteFrom('fee_rule').where('company_id', '=', company).execute()
  const rose = addDays(today, -120)
  const card = { program: 'convenience', absorb, maxCents: 4995 } as const
  const echeck = { method: 2, program: 'convenience', absorb, maxCents: 10_000 } as const
  const rules = [
    ruleOf({ ...card, bps: 250, fixedCents: 25, minCents: 175 }),
    ruleOf({ ...card, bps: 275, fixedCents: 30, minCents: 195, validFrom: rose }),
    ruleOf({ ...echeck, fixedCents: 125 }),
    ruleOf({ ...echeck, fixedCents: 150, validFrom: rose }),
  ]
  await writeFeeRules(tx, company, rules, { at: null, by: '' })
}
