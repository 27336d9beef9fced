import type { Client } from '../provider-kit/database.ts'
import { standalonePage } from '../provider-kit/hosted.ts'
import { brandOf } from '../provider-kit/numbers.ts'
import type { GatewayDeps } from './deps.ts'
import { dueLater, lockIntent, stepIntent } from './intent-steps.ts'
import { amountDueAt, lockReader } from './readers.ts'
import { type Outcome, outcomes, type Scenario, testCards } from './scenarios.ts'
import type { Method } from './tokens.ts'

/** Test cards of the reader page, with their button labels. */
const cards: Record<string, string> = {
  '4242424242424242': 'Tap a card that is accepted',
  '4000000000000002': 'Tap a card that is declined',
  '4000000000009995': 'Tap a card without funds',
}

/** Returns a page that shows the reader as it looks at a counter. */
export async function readerPage({ database }: GatewayDeps, id: string): Promise<string> {
  const amountDue = await database.transact(async (client) => amountDueAt(client, await lockReader(client, id, null)))
  const buttons = [...Object.entries(cards), ['cancel', 'Take the card away'], ['timeout', 'Let it time out']]
    .map(
      ([value, label], n) =>
        `<button${n === 0 ? ' class="primary"' : ''} name="response" value="${value}">${label}</button>`,
    )
    .join('\n')
  const amount = ((amountDue ?? 0) / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  const content = amountDue
    ? `<p class="amount">${amount}</p><form method="post" action="${id}">${buttons}</form>`
    : '<p>Ready. There is nothing to pay at the moment.</p><p><a href="">Look again</a></p>'
  return standalonePage(
    'Card reader',
    `<h1>Card reader</h1>
      <p><strong>TEST: no money moves.</strong> This page stands for the reader on the counter.</p>
      ${content}`,
  )
}

/** Simulates a tapped card, a removed card or a timeout at the reader. */
export const tapReader = (deps: GatewayDeps, id: string, response: string) =>
  deps.database.transact(async (client) => {
    const reader = await lockReader(client, id, null)
    if (!reader.intent) return
    if (response === 'timeout')
      return finishAtReader(deps, client, reader.intent, gaveUp('The reader waited too long for a card.'))
    if (response === 'cancel') return finishAtReader(deps, client, reader.intent, gaveUp('The card was taken away.'))
    const scenario = response in cards ? testCards[response] : undefined
    if (scenario)
      return finishAtReader(deps, client, reader.intent, outcomes[scenario], { scenario, method: tappedCard(response) })
  })

const gaveUp = (message: string): Outcome => ({
  status: 'failed',
  error: { code: 'reader_gave_up', message, retryable: true },
})

const tappedCard = (number: string): Method => ({
  type: 'card',
  brand: brandOf(number),
  last4: number.slice(-4),
  exp_month: null,
  exp_year: null,
  bank_name: null,
  account_type: null,
})

/** Records the outcome of a charge at a reader. Does not change a completed charge. */
async function finishAtReader(
  deps: GatewayDeps,
  client: Client,
  id: string,
  outcome: Outcome,
  card?: { method: Method; scenario: Scenario },
): Promise<void> {
  const row = await lockIntent(client, id, null)
  if (row.status !== 'requires_action' || row.reader === null) return
  await stepIntent(deps, client, row, outcome.status, {
    payment_method: card?.method ?? null,
    scenario: card?.scenario ?? null,
    error: outcome.error ?? null,
    ...dueLater(deps.clock, outcome.then),
  })
}
