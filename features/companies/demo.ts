import type { DemoTown } from '../../database/towns/town.ts'
import type { Clock } from '../../server/clock.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, formatDate } from '../../shared/dates.ts'
import { defaultServices, modules } from './rules.ts'
import { openCompany } from './server/create-company.ts'

/** Opens a demo town as the administrator would, then gives it what later screens will let it choose. */
export async function openDemoTown(tx: Tx, clock: Clock, town: DemoTown): Promise<{ id: CompanyId; timeZone: string }> {
  const id = await openCompany(tx, clock, { session: null, requestId: '', kind: 'system' }, town.company, 'sandbox')
  const { zone } = await tx
    .selectFrom('timezone')
    .select('zone')
    .where('id', '=', town.company.timeZone)
    .executeTakeFirstOrThrow()
  const today = dateIn(zone, clock.now())
  await tx
    .updateTable('company')
    .set({
      ...town.look,
      license_no: town.license,
      is_demo: 1,
      offline_msg: town.offlineMessage,
      site_wide_message: town.siteWideMessage.replaceAll('{date}', formatDate(addDays(today, 10))),
    })
    .where('id', '=', id)
    .execute()
  const its: readonly string[] = town.modules ?? modules
  const inactive = (url: string) => !its.includes(url)
  await tx
    .updateTable('company_component')
    .set({ is_active: 0 })
    .where('company_id', '=', id)
    .where('url', 'not in', its)
    .execute()
  const closed = defaultServices.filter(({ url }) => inactive(url)).map((service) => service.id)
  if (closed.length > 0)
    await tx
      .updateTable('company_service')
      .set({ is_active: 0 })
      .where('company_id', '=', id)
      .where('id', 'in', closed)
      .execute()
  const more = town.services.map((service, at) => ({
    ...service,
    company_id: id,
    position: defaultServices.length + at + 1,
  }))
  if (more.length > 0) await tx.insertInto('company_service').values(more).execute()
  const notices = town.notices.map(({ place, message, days }) => ({
    company_id: id,
    place,
    message,
    until: addDays(today, days),
  }))
  if (notices.length > 0) await tx.insertInto('company_announcement').values(notices).execute()
  if (town.absorbsFee)
    await tx.updateTable('payment_settings').set({ absorb: 1 }).where('company_id', '=', id).execute()
  return { id, timeZone: zone }
}
