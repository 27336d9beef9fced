import { randomUUID } from 'node:crypto'
import type { TestPortal } from './harness.ts'

/**
 * Pays the amount due on an account as a guest with a valid card, through the portal and its gateway. Returns the order
 * id.
 */
export async function payAsGuest(
  portal: TestPortal,
  host: string,
  accountNumber: string,
  zip: string,
): Promise<number> {
  const { body: bill } = await portal.post(host, 'find/guest/bill', { accountNumber, zip })
  const { body: checkout } = await portal.post(host, 'return/guest/checkout', { token: bill.token })
  if (!checkout.gateway) throw new Error(`no checkout of ${accountNumber}: ${JSON.stringify({ bill, checkout })}`)
  const billCents: number = checkout.payableCents
  const response = await fetch(`${portal.config.gateway.url}/fields/tokens?account=${checkout.gateway.account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card', number: '4242424242424242', month: 8, year: 2029, cvc: '123' }),
  })
  const { token: methodToken } = (await response.json()) as { token: string }
  const fee = Math.max(195, Math.floor((billCents * 275 + 5000) / 10_000) + 30)
  const { status, body } = await portal.post(
    host,
    'pay/guest/bill',
    {
      token: bill.token,
      payType: 1,
      method: 1,
      billCents,
      expectedTotalCents: billCents + fee,
      email: 'dot@example.com',
      methodToken,
    },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  if (status !== 200) throw new Error(`paying answered ${status}: ${body.message}`)
  const { rows } = await portal.owner.query<{ id: number }>(
    'SELECT max(id) AS id FROM payment_order WHERE reference = $1 AND status = 1',
    [accountNumber],
  )
  return rows[0]?.id ?? 0
}
