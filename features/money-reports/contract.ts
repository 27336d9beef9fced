import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { periodInOrder as inOrder } from '../../shared/period.ts'
import { accountKinds } from './rules.ts'

const companyId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** Absorb fee options (specification 9.5): Yes '1', No '0'. */
const program = z.optional(z.enum(['convenience', 'service', 'none']))
const absorbFee = z.optional(z.enum(['0', '1']))
/**
 * By which of its days money counts: the payment's, as in the Payment Transaction Report, where a refund is taken off the
 * day of what it refunds; or the one on which it moved, as at the bank.
 */
const countedBy = z._default(z.enum(['payment', 'money']), 'payment')
/** Both days are in the period, each by the clocks of the municipality that it is counted for. */
const period = { fromDate: isoDate, toDate: isoDate }

/** Signed cents of any size that stays exact: sums over all municipalities. */
const cents = z.int()

const viewed: Access = { audience: 'platform', privilege: ['reports_admin', 'view'] }

/** Of payments by card, or by eCheck: how many were taken, and what is left of their amounts and fees. */
const part = z.object({ payments: z.int(), amountCents: cents, feeCents: cents })

/**
 * Fees as the ledger has them. `payments`: how many were taken. `amountCents`: collected for the municipality, less what
 * went back. `paidCents`: fees that payers were charged; `absorbedCents`: fees that the municipality took on itself;
 * `backCents`: what was given back of both. `feeCents` = paid + absorbed − back. `totalCents`: what payers paid, less what
 * they got back.
 */
const fees = {
  payments: z.int(),
  amountCents: cents,
  paidCents: cents,
  absorbedCents: cents,
  backCents: cents,
  feeCents: cents,
  totalCents: cents,
  card: part,
  echeck: part,
}
const feeSums = z.object(fees)

/** One company's days, those on which money moved. */
export const feeDays = endpoint({
  path: 'admin/return/fee/days',
  summary: "A municipality's convenience fees day by day",
  access: viewed,
  body: z.object({ companyId, ...period, absorbFee, program, countedBy }).check(...inOrder()),
  answer: z.object({ days: z.array(z.object({ day: z.string(), ...fees })), totals: feeSums }),
})

/** Each revenue and expense account, month by month: of one company, or of all together. */
export const profitMonths = endpoint({
  path: 'admin/return/profit/months',
  summary: 'Profit and loss by account and month',
  access: viewed,
  scope: 'none',
  body: z.object({ ...period, company: z.optional(companyId) }).check(...inOrder()),
  answer: z.object({
    /** YYYY-MM, without gaps. */
    months: z.array(z.string()),
    accounts: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        kind: z.enum(accountKinds),
        /** For each month, in their order. */
        cents: z.array(cents),
        totalCents: cents,
        /** Whether the ledger moved anything on it in the period. */
        moved: z.boolean(),
      }),
    ),
    revenue: z.array(cents),
    expense: z.array(cents),
    net: z.array(cents),
    totals: z.object({ revenueCents: cents, expenseCents: cents, netCents: cents }),
  }),
})
