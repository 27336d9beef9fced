import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { spread } from '../../features/payments/rules.ts'
import { type FeeRules, quoteOfLines } from '../fees.ts'
import { addToCheckout } from '../../features/payments/server/orders/cart.ts'
import { hashSecret } from '../../server/sessions.ts'
import { expectResponse, guest } from './ask.ts'
import { type Run, type VisibleItem, visibleItemsOf } from './run.ts'
import type { StepOf } from './steps.ts'

/** Actions that payers take on the payment page. */

const FEES: FeeRules = {
  program: 'convenience',
  absorb: 0,
  cardBps: 275,
  cardFixedCents: 30,
  cardMinCents: 195,
  cardMaxCents: 4995,
  echeckCents: 150,
}

/**
 * Builds a payment request from the items that the page shows. A partial payment of all lines leaves part of each large
 * line unpaid, if possible.
 */
function requestOf(seen: readonly VisibleItem[], amount: StepOf<'pay'>['amount']) {
  const owed = seen.map(({ owedCents }) => Math.max(owedCents, 0))
  const all = owed.reduce((sum, cents) => sum + cents, 0)
  if (amount !== 'lines') {
    const billCents = amount === 'part' ? 25_00 : Math.max(all, 1)
    return { payType: amount === 'part' ? 2 : 1, billCents, amounts: spread(billCents, seen) }
  }
  const amounts = owed.map((cents, n) => (cents > 20_00 && !seen[n]?.inFull ? cents - 15_01 : cents))
  const lines = seen.flatMap(({ no }, n) => {
    const billCents = amounts[n] ?? 0
    return billCents > 0 ? [{ no, payType: billCents === owed[n] ? 1 : 2, billCents }] : []
  })
  const billCents = amounts.reduce((sum, cents) => sum + cents, 0)
  return { payType: 2, billCents, amounts, ...(lines.length > 0 && { lines }) }
}

export async function pay(run: Run, step: StepOf<'pay'>): Promise<void> {
  const tab = run.tabs[step.tab]
  if (!tab) return
  if (step.amount !== 'all') tab.seen = await visibleItemsOf(run.company, tab.token)
  const { amounts, ...request } = requestOf(tab.seen, step.amount)
  const scenario = run.company.paysBy?.[step.scenario] ?? step.scenario
  const method = scenario.startsWith('echeck') ? 2 : 1
  const fresh = {
    key: randomUUID() as string,
    body: {
      token: tab.token,
      method,
      ...request,
      expectedTotalCents: quoteOfLines(FEES, method, amounts).totalCents,
      email: 'ada@example.com',
      methodToken: run.provider.token(scenario),
    },
  }
  const { key, body } = step.again && tab.last ? tab.last : fresh
  tab.last = { key, body }
  const response = await guest(run.company, 'pay/guest/bill', body, key)
  if (!expectResponse(response)) return
  const text = JSON.stringify(response.body)
  expect(run.responses.get(key) ?? text, 'the same key gets the same answer').toBe(text)
  run.responses.set(key, text)
}

async function newestOrder({ portal }: Run['company']): Promise<number> {
  const { rows } = await portal.owner.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM payment_order')
  return rows[0]?.id ?? 0
}

/** Adds an item to the cart of a tab, or removes one. */
export async function changeCart(run: Run, step: StepOf<'add' | 'remove'>): Promise<void> {
  const [tab, item] = [run.tabs[step.tab], run.items[step.item]]
  if (!tab || !item) return
  const { company: runCompany } = run
  const { token } = tab
  const { kind, id } = item
  const { context, owner } = runCompany.portal
  if (step.do === 'add') {
    tab.added.add(step.item)
    const newest = await newestOrder(runCompany)
    for (const out of run.removed)
      if (out.token === token && out.kind === kind && out.id === id) out.until = Math.min(out.until, newest)
    const next = await context
      .inCompany(runCompany.company, (tx) => addToCheckout(tx, context, runCompany.company, token, [{ kind, id }]))
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'payment_in_progress' })
        return token
      })
    if (!run.tokens.includes(next)) run.tokens.push(next)
    tab.token = next
  } else {
    const { rows } = await owner.query<{ no: number }>(
      `SELECT (p->>'no')::int AS no FROM guest_checkout, jsonb_array_elements(payables) AS p
       WHERE token_hash = $1 AND p->>'kind' = $2 AND (p->>'id')::bigint = $3`,
      [hashSecret(token), kind, id],
    )
    const response = await guest(runCompany, 'remove/from/cart', { token, no: rows[0]?.no ?? 0 })
    if (expectResponse(response) && !tab.added.has(step.item))
      run.removed.push({ token, kind, id, after: await newestOrder(runCompany), until: Infinity })
  }
  tab.seen = await visibleItemsOf(runCompany, tab.token)
}
