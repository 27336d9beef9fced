import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Company } from '../../../../server/hosts.ts'
import type { OrderLine, PaidOrder } from '../orders/orders.ts'
import { receiptPdf } from './receipt-pdf.ts'
import { readPdf } from '../../../../test/read-pdf.ts'

const company = {
  name: 'Maple Grove',
  ...{ address1: '100 Main Street', city: 'Maple Grove', state: 'PA', zipcode: '17011', phone: '7175550142' },
  ...{ timeZone: 'America/New_York', themeBackground: '#324c96', themeText: '#111111' },
} as Company

const line = {
  title: 'Utility bill payment',
  details: [
    { name: 'account', value: '100001' },
    { name: 'address', value: '12 Oak Street, Maple Grove, PA 17011' },
    { name: 'bill', value: 'B2026-11' },
  ],
  items: [],
  amount_cents: 5000,
  fee_cents: 195,
  fee_program: 'service',
  owed_before_cents: 14931,
} as unknown as OrderLine

const order = {
  ...{ id: 100042, status: 1, method_label: 'Visa ending 4242', lines: [line] },
  ...{ bill_cents: 5000, fee_cents: 195, absorbed_fee_cents: 0, total_cents: 5195, fee_quote: { program: 'service' } },
  ...{ created_at: new Date('2026-11-20T15:00:00Z'), paid_at: new Date('2026-11-20T15:00:00Z') },
} as unknown as PaidOrder

/** Renders a receipt and returns its text and the number of curves. */
const rendered = async (changes: Partial<PaidOrder> = {}): Promise<{ text: string; curves: number }> =>
  readPdf(await buffer(receiptPdf(company, { ...order, ...changes }, false)))

test('prints location, bill, card, fee name and remaining amount', async () => {
  const { text } = await rendered()
  for (const fact of [
    ...['Maple Grove', 'P100042', '100001', '12 Oak Street, Maple Grove, PA 17011', 'B2026-11', 'Visa ending 4242'],
    ...['Service fee', '$51.95', 'Remaining amount', '$99.31'],
  ])
    expect(text).toContain(fact)
  const credit = (await rendered({ lines: [{ ...line, amount_cents: 20000 }], total_cents: 20195 })).text
  expect(credit).toContain('Credit on the account')
  expect(credit).toContain('$50.69')
})

test('prints each of several items with its facts and amount', async () => {
  const permit = { ...line, title: 'Permit', details: [{ name: 'reference', value: 'R-7' }], amount_cents: 4000 }
  const { text } = await rendered({ lines: [line, { ...permit, owed_before_cents: 4000 }], total_cents: 9195 })
  for (const fact of [
    'Utility bill payment',
    'Account 100001',
    '$50.00',
    'Permit',
    'Reference R-7',
    '$40.00',
    '$91.95',
  ])
    expect(text).toContain(fact)
  expect(text).toContain('$99.31')
})

test("prints the company's seal", async () => {
  const { text, curves } = await rendered()
  // The seal has three rims and 28 beads. Each of these circles has four curves.
  expect(curves).toBeGreaterThanOrEqual(31 * 4)
  expect(text).toMatch(/^.*\bM\b/m)
})
