import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound } from '../../../server/errors.ts'
import { showReconciledCompany } from '../contract.ts'
import { closedOf, oldestOpen } from './day.ts'
import { providerName } from './provider-name.ts'

/** Maximum visible payouts in transit. */
const MAX_VISIBLE = 20
/** Date far in the future, so that the list includes the open exceptions of every day. */
const ANY_DAY = '9999-12-31'

/** Loads the reconciliation status of a company for platform staff, so that they know who to contact. */
export const showCompanyCall = implement(showReconciledCompany, async ({ context, body }) => {
  const company = await context.hosts.byId(body.companyId)
  if (!company) throw notFound('This municipality was not found.')
  return context.inCompany(company.id, async (tx) => {
    const { through } = await closedOf(tx, company.id)
    const count = (table: 'recon_exception' | 'payout') =>
      tx
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('company_id', '=', company.id)
    const open = await count('recon_exception').where('status', '=', 'open').executeTakeFirstOrThrow()
    const pendingPayments = await count('payout').where('deposited_cents', 'is', null).executeTakeFirstOrThrow()
    return {
      name: company.name,
      url: `${originOf(context.config, company.subdomain)}/municipality/reports/reconciliation`,
      closedThrough: through,
      openExceptions: Number(open.n),
      exceptions: await oldestOpen(tx, company.id, ANY_DAY),
      pendingPayouts: Number(pendingPayments.n),
      payouts: await tx
        .selectFrom('payout')
        .select(['id', 'trace', 'arrives_on as arrivesOn', 'net_cents as netCents'])
        .select(providerName(sql`payout.provider`).as('provider'))
        .where('company_id', '=', company.id)
        .where('deposited_cents', 'is', null)
        .orderBy('arrives_on')
        .orderBy('id')
        .limit(MAX_VISIBLE)
        .execute(),
    }
  })
})
