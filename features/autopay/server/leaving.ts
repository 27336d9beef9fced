import { sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { bySystem, endAutopay, lockAutopay } from './enrollments.ts'
import { removed } from './emails.ts'

interface LeavingPayer {
  person: number
  kind: string
  payable: number
  /** The last day on which anything may be charged. */
  endsOn: string
}

/**
 * Whoever has AutoPay has left what it pays for: it goes on for a while, so that the final bill is still paid, and ends then.
 * @returns whether they have AutoPay of it
 */
export async function endAfter(
  tx: Tx,
  company: CompanyId,
  { person, kind, payable, endsOn }: LeavingPayer,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('autopay')
    .set({ ends_on: endsOn })
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('kind', '=', kind)
    .where('payable_id', '=', payable)
    .where('state', 'in', ['active', 'paused'])
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/** Ends those whose last day is over, each in a transaction of its own, and tells their payers. */
export async function endLeft(context: AppContext, town: Company, today: string): Promise<void> {
  const over = await context.inCompany(town.id, (tx) =>
    tx
      .selectFrom('autopay')
      .select('id')
      .where('company_id', '=', town.id)
      .where('state', 'in', ['active', 'paused'])
      .where('ends_on', '<', sql<string>`${today}::date`)
      .orderBy('id')
      .limit(1000)
      .execute(),
  )
  for (const { id } of over)
    await context.inCompany(town.id, async (tx) => {
      const autopay = await lockAutopay(tx, town.id, id)
      if (autopay.state !== 'active' && autopay.state !== 'paused') return
      await endAutopay(tx, town.id, autopay, 'end', { reason: 'moved' }, bySystem(context.clock))
      const { email, means } = await tx
        .selectFrom('person as p')
        .innerJoin('stored_method as m', (on) => on.onRef('m.company_id', '=', 'p.company_id'))
        .select(['p.email', 'm.means'])
        .where('p.company_id', '=', town.id)
        .where('p.id', '=', autopay.person_id)
        .where('m.id', '=', autopay.method_id)
        .executeTakeFirstOrThrow()
      const facts = { reference: autopay.reference, reason: 'moved' as const, means, cents: null, code: '' }
      await notify(tx, context, { at: town, to: email, person: autopay.person_id, notice: removed, facts })
    })
}
