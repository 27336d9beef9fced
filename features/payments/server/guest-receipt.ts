import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { orderStatus, receiptNumber } from '../rules.ts'
import { findCheckout, orderOfCheckout } from './checkout.ts'
import { providerOf } from './providers.ts'
import { receiptPdf } from './receipt-pdf.ts'

/** A guest's receipt as PDF, behind the checkout's own token: whoever may see the page may print it. */
export function mountGuestReceipt(app: FastifyInstance, house: House): void {
  app.get<{ Params: { token: string } }>('/guest/payment/:token/receipt.pdf', async (request, reply) => {
    const host = await house.hosts.resolve(request.headers.host)
    const company = host.kind === 'town' ? host.company : null
    if (!company) throw notFound()
    const order = await house.inCompany(company.id, async (tx) => {
      const checkout = await findCheckout(tx, house, company.id, request.params.token)
      return orderOfCheckout(tx, company.id, checkout.id)
    })
    if (order?.status !== orderStatus.success) throw notFound('There is no receipt yet for this payment.')
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="receipt-${receiptNumber(order.id)}.pdf"`)
      .header('cache-control', 'private, no-store')
      .send(receiptPdf(company, order, providerOf(house.config).test))
  })
}
