import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { autopayStates } from '../../autopay/states.ts'
import { openCheckout, paidFor } from '../../payments/api.ts'
import { triedOf } from '../../outages/api.ts'
import { openShutoffOf, utilityBills } from '../../utility-accounts/api.ts'
import { customerAccount, sendPaymentLink } from '../contract.ts'

/** Number of bills shown: about two years. */
const MAX_VISIBLE = 24
/** Rate limit for payment links, because each link goes to an address that a person typed. */
const linksPerPerson = defineLimit('payment-link', { max: 60, after: 'pause' })

interface PaymentLinkData {
  company: Company
  number: string
  owedCents: number
  url: string
}

/** The email is sent immediately, because its link opens a payment page. Recipients can't unsubscribe from it. */
const paymentLink = defineNotice<PaymentLinkData>({
  event: 'payment.account_link',
  required: true,
  why: ({ name }) => say`You are receiving this email because someone asked ${name} to send you a payment link.`,
  content: ({ company, number, owedCents, url }) => ({
    subject: say`Pay your utility bill to ${company.name}`,
    paragraphs: [
      owedCents > 0
        ? say`The amount due on account ${number} with ${company.name} is ${formatCents(owedCents)}.`
        : say`This email is about account ${number} with ${company.name}.`,
      { label: say`Pay now`, text: say`You can pay here: `, url },
      say`The link works for 30 days. Anyone with the link can see the amount due on this account and pay it.`,
    ],
  }),
})

async function find(tx: Tx, { company, body }: Call<{ accountId: number }>) {
  const account = await tx
    .selectFrom('utility_account')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', body.accountId)
    .executeTakeFirst()
  if (!account) throw notFound('This account was not found.')
  return account
}

const customerAccountCall = implement(customerAccount, async (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const account = await find(tx, call)
    const [owed, payments, bills, linked, adjustments, shutoff, tried, code, enrolled] = await Promise.all([
      utilityBills.owed(tx, company.id, account.id),
      paidFor(tx, company.id, utilityBills.kind, account.id),
      tx
        .selectFrom('utility_bill')
        .select(['bill_number', 'bill_date', 'due_date', 'amount_cents'])
        .where('company_id', '=', company.id)
        .where('account_id', '=', account.id)
        .orderBy('bill_date', 'desc')
        .limit(MAX_VISIBLE)
        .execute(),
      tx
        .selectFrom('linked_account as l')
        .innerJoin('person as p', (on) =>
          on.onRef('p.company_id', '=', 'l.company_id').onRef('p.id', '=', 'l.person_id'),
        )
        .select('p.email')
        .where('l.company_id', '=', company.id)
        .where('l.account_id', '=', account.id)
        .orderBy('l.linked_at')
        .execute(),
      tx
        .selectFrom('utility_adjustment')
        .select(['adjustment_number as number', 'adjusted_on as date', 'amount_cents as amountCents', 'reason'])
        .where('company_id', '=', company.id)
        .where('account_id', '=', account.id)
        .orderBy('adjusted_on', 'desc')
        .orderBy('adjustment_number', 'desc')
        .limit(MAX_VISIBLE)
        .execute(),
      openShutoffOf(tx, company.id, account.id),
      triedOf(tx, company.id, utilityBills.kind, account.id),
      tx
        .selectFrom('utility_link_code')
        .select(['made_at', 'made_by', 'expires_at', 'used_at'])
        .where('company_id', '=', company.id)
        .where('account_id', '=', account.id)
        .executeTakeFirst(),
      tx
        .selectFrom('autopay as a')
        .innerJoin('stored_method as m', (on) =>
          on.onRef('m.company_id', '=', 'a.company_id').onRef('m.id', '=', 'a.method_id'),
        )
        .select(['a.state', 'm.method_label'])
        .where('a.company_id', '=', company.id)
        .where('a.kind', '=', utilityBills.kind)
        .where('a.payable_id', '=', account.id)
        .where('a.state', 'in', ['active', 'paused'])
        .executeTakeFirst(),
    ])
    return {
      number: account.account_number,
      name: account.customer_name,
      email: account.customer_email,
      phone: account.phone_no,
      address: `${account.service_address}, ${account.city}, ${account.state} ${account.zipcode}`,
      ...owed,
      autopay: enrolled ? `${translated(autopayStates.labels[enrolled.state])}, ${enrolled.method_label}` : '',
      linkedBy: linked.map(({ email }) => email),
      adjustments,
      shutoff,
      tried,
      linkCode: code
        ? {
            madeAt: code.made_at.toISOString(),
            madeBy: code.made_by,
            expiresAt: code.expires_at.toISOString(),
            usedAt: code.used_at?.toISOString() ?? null,
          }
        : null,
      bills: bills.map((bill) => ({
        number: bill.bill_number,
        date: bill.bill_date,
        dueDate: bill.due_date,
        amountCents: bill.amount_cents,
      })),
      payments: payments
        .slice(-MAX_VISIBLE)
        .toReversed()
        .map(({ number, at, state, cents, refundCents }) => ({
          number,
          at: at.toISOString(),
          state,
          amountCents: cents,
          refundCents,
        })),
      can: { sendLink: may(signedIn(call).privileges, 'customers', 'update') },
    }
  }),
)

const sendPaymentLinkCall = implement(sendPaymentLink, async (call) => {
  const { context, company, body } = call
  await countAttempt(context, [linksPerPerson(`${company.id}/${signedIn(call).personId}`)])
  await call.inCompany(async (tx) => {
    const { id, account_number: number } = await find(tx, call)
    const { owedCents } = await utilityBills.owed(tx, company.id, id)
    const token = await openCheckout(tx, context, company.id, [{ kind: utilityBills.kind, id }])
    const url = `${originOf(context.config, company.subdomain)}/guest/payment/${token}`
    await notify(tx, context, {
      at: company,
      to: body.email,
      notice: paymentLink,
      data: { company, number, owedCents, url },
    })
    await call.audit(tx, { action: 'payment.link_sent', detail: { account: number, email: body.email } })
  })
  return { success: true as const, message: say`Payment link sent to ${body.email}.` }
})

export const accountCalls = [customerAccountCall, sendPaymentLinkCall]
