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
  /** Last day on which a charge is allowed. */
  endsOn: string
}

/**
 * Sets the last day of AutoPay for a payer who has moved out. AutoPay stays active until `endsOn`, so that it pays the
 * final bill.
 * @returns true if the payer has AutoPay for the account
 */
export async function scheduleAutopayEnd(
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

/** Ends enrollments after their last day, each in a separate transaction, and notifies the payers. */
export async function endExpiredEnrollments(context: AppContext, company: Company, today: string): Promise<void> {
  const expired = await context.inCompany(company.id, (tx) =>
    tx
      .selectFrom('autopay')
      .select('id')
      .where('company_id', '=', company.id)
      .where('state', 'in', ['active', 'paused'])
      .where('ends_on', '<', sql<string>`${today}::date`)
      .orderBy('id')
      .limit(1000)
      .execute(),
  )
  for (const { id } of expired)
    await context.inCompany(company.id, async (tx) => {
      const autopay = await lockAutopay(tx, company.id, id)
      if (autopay.state !== 'active' && autopay.state !== 'paused') return
      await endAutopay(tx, company.id, autopay, 'end', { reason: 'moved' }, bySystem(context.clock))
      const { email, method_label: methodLabel } = await tx
        .selectFrom('person as p')
        .innerJoin('stored_method as m', (on) => on.onRef('m.company_id', '=', 'p.company_id'))
        .select(['p.email', 'm.method_label'])
        .where('p.company_id', '=', company.id)
        .where('p.id', '=', autopay.person_id)
        .where('m.id', '=', autopay.method_id)
        .executeTakeFirstOrThrow()
      const noticeData = {
        reference: autopay.reference,
        reason: 'moved' as const,
        methodLabel,
        cents: null,
        code: '',
      }
      await notify(tx, context, {
        at: company,
        to: email,
        person: autopay.person_id,
        notice: removed,
        data: noticeData,
      })
    })
}
