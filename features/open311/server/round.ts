import { FairQueue } from '../../../server/fair-queue.ts'
import type { House } from '../../../server/house.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { follow } from './follow.ts'
import { findSaid, sayDue } from './say-there.ts'
import type { With } from './client.ts'
import { findNew, sendDue } from './send.ts'
import { definePictures } from './take-picture.ts'

export const ROUND = 'open311.round'
/** So many other portals are asked at once; towns take turns, so that one whose partner hangs holds up nobody else. */
const AT_ONCE = 6

export function defineOpen311Jobs(house: House): void {
  definePictures(house)
  house.jobs.define(ROUND, () => askOthers(house), { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 900 })
}

async function askOthers(house: House): Promise<void> {
  const portals = await house.readingAll((tx) =>
    tx
      .selectFrom('open311_portal')
      .selectAll()
      .where('is_active', '=', true)
      .where('removed_at', 'is', null)
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  const queue = new FairQueue(AT_ONCE)
  await Promise.all(
    portals.map((portal) =>
      queue.run(String(portal.company_id), async () => {
        const company = await house.hosts.byId(companyIdFrom('job', portal.company_id))
        if (company) await askOne({ house, company, portal })
      }),
    ),
  )
}

/** What is due between a town and one other portal. Where that can't be reached, the rest waits for the next round. */
async function askOne(to: With): Promise<void> {
  const { house, company, portal } = to
  try {
    await findNew(to)
    if (!(await sendDue(to))) return
    await findSaid(to)
    if (await sayDue(to)) await follow(to)
  } catch (error) {
    house.log.error({ err: error, company: company.id, portal: portal.id }, 'another portal could not be served')
  }
}
