import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { orderStatus, receiptNumber } from '../../payments/rules.ts'
import { findCheckout, orderOfCheckout, renderReceipt, lineNoOf, isTestPayment } from '../../payments/api.ts'

const perAddress = defineAddressLimit('receipt', { max: 60, after: 'pause' })

/** Serves a guest's receipt as PDF. The checkout token grants access to the receipt, as it does to the page. */
export function mountGuestReceipt(app: FastifyInstance, context: AppContext): void {
  app.get<{ Params: { token: string }; Querystring: { line?: string } }>(
    '/guest/payment/:token/receipt.pdf',
    async (request, reply) => {
      await countAttempt(context, [perAddress(request.ip)])
      const host = await context.hosts.resolve(request.headers.host)
      const company = host.kind === 'company' ? host.company : null
      if (!company) throw notFound()
      const { order, test } = await context.inCompany(company.id, async (tx) => {
        const checkout = await findCheckout(tx, context, company.id, request.params.token)
        const paidOrder = await orderOfCheckout(tx, company.id, checkout.id)
        return {
          order: paidOrder,
          test: paidOrder !== undefined && (await isTestPayment(context, tx, company.id, { orderId: paidOrder.id })),
        }
      })
      if (order?.status !== orderStatus.success) throw notFound('No receipt is available for this payment.')
      const line = lineNoOf(order, request.query.line)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="receipt-${receiptNumber(order.id, line)}.pdf"`)
        .header('cache-control', 'private, no-store')
        .send(await renderReceipt(request.ip, company, order, test, line))
    },
  )
}
