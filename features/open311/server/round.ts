import { FairQueue } from '../../../server/fair-queue.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { follow } from './follow.ts'
import { queueComments, sendDueComments } from './send-comment.ts'
import type { PortalContext } from './client.ts'
import { findNew, sendDue } from './send.ts'
import { definePhotos } from './take-photo.ts'

export const ROUND = 'open311.round'
/**
 * Number of portals called in parallel. Companies take turns, so that an unresponsive portal of one company does not
 * delay the others.
 */
const CONCURRENCY = 6

export function defineOpen311Jobs(context: AppContext): void {
  definePhotos(context)
  context.jobs.define(ROUND, () => pollPortals(context), { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 900 })
}

async function pollPortals(context: AppContext): Promise<void> {
  const portals = await context.readingAll((tx) =>
    tx
      .selectFrom('open311_portal')
      .selectAll()
      .where('is_active', '=', true)
      .where('removed_at', 'is', null)
      .where(whereOn('requests'))
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  const queue = new FairQueue(CONCURRENCY)
  await Promise.all(
    portals.map((portal) =>
      queue.run(String(portal.company_id), async () => {
        const company = await context.hosts.byId(companyIdFrom('job', portal.company_id))
        if (company) await pollPortal({ context, company, portal })
      }),
    ),
  )
}

/**
 * Sends a company's due requests and messages to one portal, then fetches the portal's updates. If the portal is
 * unreachable, all remaining work waits for the next run.
 */
async function pollPortal(to: PortalContext): Promise<void> {
  const { context, company, portal } = to
  try {
    await findNew(to)
    if (!(await sendDue(to))) return
    await queueComments(to)
    if (await sendDueComments(to)) await follow(to)
  } catch (error) {
    context.log.error({ err: error, company: company.id, portal: portal.id }, 'another portal could not be served')
  }
}
