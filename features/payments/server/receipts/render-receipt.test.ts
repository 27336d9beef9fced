import { expect, test } from 'vitest'
import type { Company } from '../../../../server/hosts.ts'
import { renderReceipt } from './render-receipt.ts'
import type { PaidOrder } from '../orders/orders.ts'
import { nightly } from '../../../../test/nightly.ts'

const company = {
  ...{ name: 'Maple Grove', address1: '1 Main Street', city: 'Maple Grove', state: 'PA', zipcode: '17011' },
  ...{ phone: '7175550100', themeBackground: '#324c96', themeText: '#111111', timeZone: 'America/New_York' },
} as Company
const order = {
  ...{
    id: 7,
    method_label: 'Visa ending 4242',
    lines: [{ title: 'Utility bill payment', details: [], items: [], amount_cents: 14931, owed_before_cents: null }],
    status: 1,
    fee_quote: { program: 'convenience' },
  },
  ...{ bill_cents: 14931, fee_cents: 441, total_cents: 15372, created_at: new Date(), paid_at: new Date() },
} as unknown as PaidOrder

nightly('receipts are drawn while everybody else is served', async () => {
  await renderReceipt('somebody', company, order, true)
  let turns = 0
  let immediate = setImmediate(function again() {
    turns += 1
    immediate = setImmediate(again)
  })
  const pdfs = await Promise.all(Array.from({ length: 5 }, () => renderReceipt('somebody', company, order, true)))
  clearImmediate(immediate)
  for (const pdf of pdfs) expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  // If a worker thread renders the receipts, the event loop of the main thread completes thousands of iterations. If
  // the main thread rendered them, the loop would complete only a few per receipt.
  expect(turns).toBeGreaterThan(500)
})

test('renders the next receipt after one fails', async () => {
  const invalid = { ...order, created_at: 'never', paid_at: null } as unknown as PaidOrder
  await expect(renderReceipt('somebody', company, invalid, true)).rejects.toThrow()
  expect((await renderReceipt('somebody', company, order, true)).length).toBeGreaterThan(1000)
})
