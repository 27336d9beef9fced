import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound } from '../../../server/errors.ts'
import { showReconciledTown } from '../contract.ts'
import { closedOf, oldestOpen } from './day.ts'
import { providerName } from './provider-name.ts'

/** So many of what is on its way are shown. */
const MAX_VISIBLE = 20
/** What is open, whichever day it is of. */
const ANY_DAY = '9999-12-31'

/** For the platform's staff: where a municipality stands, so that they know whom to ask about what. */
export const showTownCall = implement(showReconciledTown, async ({ context, body }) => {
  const town = await context.hosts.byId(body.townId)
  if (!town) throw notFound('There is no such municipality.')
  return context.inCompany(town.id, async (tx) => {
    const { through } = await closedOf(tx, town.id)
    const count = (table: 'recon_exception' | 'payout') =>
      tx
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('company_id', '=', town.id)
    const open = await count('recon_exception').where('status', '=', 'open').executeTakeFirstOrThrow()
    const underWay = await count('payout').where('deposited_cents', 'is', null).executeTakeFirstOrThrow()
    return {
      name: town.name,
      url: `${originOf(context.config, town.subdomain)}/municipality/reports/reconciliation`,
      closedThrough: through,
      openExceptions: Number(open.n),
      exceptions: await oldestOpen(tx, town.id, ANY_DAY),
      payoutsUnderWay: Number(underWay.n),
      payouts: await tx
        .selectFrom('payout')
        .select(['id', 'trace', 'arrives_on as arrivesOn', 'net_cents as netCents'])
        .select(providerName(sql`payout.provider`).as('provider'))
        .where('company_id', '=', town.id)
        .where('deposited_cents', 'is', null)
        .orderBy('arrives_on')
        .orderBy('id')
        .limit(MAX_VISIBLE)
        .execute(),
    }
  })
})
