import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Payment types that other features use as fees, for example when a resident moves in. */

/** Lists the open payment types of a company with a fixed amount and no fields. */
export const feeChoices = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('payment_type as t')
    .innerJoin('field_set as f', (on) =>
      on.onRef('f.company_id', '=', 't.company_id').onRef('f.id', '=', 't.field_set_id'),
    )
    .select(['t.id', 't.title as name'])
    .where('t.company_id', '=', company)
    .where('t.amount_kind', '=', 'fixed')
    .where('t.status', '=', 'open')
    .where('f.latest_version', '=', 0)
    .orderBy('t.title_key')
    .limit(200)
    .execute()

/** Finds a charge with the state of its payment type. */
export const findFee = (tx: Tx, company: number, charge: number) =>
  tx
    .selectFrom('general_charge as c')
    .innerJoin('payment_type as t', (on) =>
      on.onRef('t.company_id', '=', 'c.company_id').onRef('t.id', '=', 'c.type_id'),
    )
    .select(['t.title', 't.status', 'c.amount_cents as amountCents', 'c.paid_cents as paidCents'])
    .where('c.company_id', '=', company)
    .where('c.id', '=', charge)
    .executeTakeFirst()
