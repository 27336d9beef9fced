import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { findExceptions } from './find-exceptions.ts'
import { readPayouts } from './read-payouts.ts'

const LONGEST_MS = 240_000

/** Every ten minutes new payouts are read, and looked at in their towns; once a day every town that has some is looked through. */
export function defineReconciliationJobs(house: House): void {
  house.jobs.define('reconciliation.payouts', () => followPayouts(house), { cron: '*/10 * * * *', retryLimit: 0 })
  house.jobs.define('reconciliation.look', () => lookThroughAll(house), { cron: '20 9 * * *', retryLimit: 0 })
}

export async function followPayouts(house: House): Promise<void> {
  const end = performance.now() + LONGEST_MS
  const { towns } = await readPayouts(house, () => performance.now() < end)
  for (const town of towns) await look(house, town)
}

async function lookThroughAll(house: House): Promise<void> {
  const towns = await house.acrossCompanies((tx) =>
    tx.selectFrom('payment_settings').select('company_id').where('reconciled_since', 'is not', null).execute(),
  )
  for (const { company_id: id } of towns) {
    const town = await house.hosts.byId(companyIdFrom('job', id))
    if (town) await look(house, town)
  }
}

/** What fails in one town keeps nobody else waiting. */
async function look(house: House, town: Company): Promise<void> {
  try {
    await house.inCompany(town.id, (tx) => findExceptions(tx, house, town))
  } catch (error) {
    house.log.error({ err: error, company: town.id }, 'the reconciliation of a town will be tried again')
  }
}
