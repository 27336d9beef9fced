import { implement } from '../../../server/call.ts'
import { conflict, notFound, Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { respondToDispute } from '../contract.ts'
import {
  type Attempt,
  describeLines,
  latestAttempt,
  movedOf,
  type PaidOrder,
  paidOrders,
  ProviderRefused,
  ProviderSilent,
  findProvider,
} from '../../payments/api.ts'

/** Undecided dispute of a payment, and the disputed charge. */
interface OpenDispute {
  attempt: Attempt
  dispute: string
}

/**
 * Finds the dispute of a payment that is not decided yet. Null if the payment has none, or if the provider accepts no
 * evidence.
 */
export async function findOpenDispute(
  context: AppContext,
  tx: Tx,
  company: CompanyId,
  order: PaidOrder,
): Promise<OpenDispute | null> {
  if (!order.dispute_open) return null
  const attempt = await latestAttempt(tx, company, order.id)
  if (!attempt || !findProvider(context.config, attempt.provider)?.evidence) return null
  const { moved } = await tx.selectNoFrom(movedOf(company, order.id).as('moved')).executeTakeFirstOrThrow()
  const decided = moved
    .filter(({ movementType }) => movementType === 'dispute_won' || movementType === 'dispute_lost')
    .map(({ ref }) => ref)
  const dispute = moved.find(({ movementType, ref }) => movementType === 'dispute' && !decided.includes(ref))?.ref
  return dispute === undefined ? null : { attempt, dispute }
}

/**
 * Sends the company's evidence against a dispute to the provider. The company can send evidence only once. The payer's
 * bank then decides.
 */
export const respondToDisputeCall = implement(respondToDispute, async (call) => {
  const { context, company, body, idempotencyKey } = call
  const { order, open } = await call.reading(async (tx) => {
    const paidOrder = await paidOrders(tx, company.id).where('o.id', '=', body.paymentId).executeTakeFirst()
    if (!paidOrder) throw notFound('This payment was not found.')
    return { order: paidOrder, open: await findOpenDispute(context, tx, company.id, paidOrder) }
  })
  const provider = open && findProvider(context.config, open.attempt.provider)
  if (!open || !provider?.evidence)
    throw conflict('no_dispute', say`This payment has no dispute that you can respond to here.`)
  const evidence = { explanation: body.reason, receipt: `${company.name}, ${describeLines(order)}` }
  const { provider_account: account } = open.attempt
  try {
    await provider.evidence.submit(account, open.dispute, evidence, `${account}/evidence/${idempotencyKey}`)
  } catch (error) {
    if (error instanceof ProviderRefused)
      throw conflict(
        'too_late',
        say`The payer’s bank no longer accepts a response. Check the dispute with the payment provider.`,
      )
    if (!(error instanceof ProviderSilent)) throw error
    throw new Refusal(
      503,
      'provider_unreachable',
      'We cannot reach the payment provider right now. Nothing was sent. Please try again in a few minutes.',
    )
  }
  await call.inCompany((tx) =>
    call.audit(tx, {
      action: 'payment.dispute_response_sent',
      subject: { kind: 'payment', id: order.id },
      detail: { response: body.reason },
    }),
  )
  return { success: true as const, message: say`Response sent. The payer’s bank will decide, which can take weeks.` }
})
