import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { brandOf } from '../provider-kit/numbers.ts'
import type { Intents } from './intents.ts'
import { Refused } from '../provider-kit/refused.ts'
import { testCards } from './scenarios.ts'
import { newId } from '../provider-kit/ids.ts'
import { standalonePage } from '../provider-kit/hosted.ts'

interface Reader {
  id: string
  account: string
  label: string
  intent: string | null
}

/** Test cards of the reader page, with their button labels. */
const cards: Record<string, string> = {
  '4242424242424242': 'Tap a card that is accepted',
  '4000000000000002': 'Tap a card that is declined',
  '4000000000009995': 'Tap a card without funds',
}

/** Card readers at a counter: paired by a displayed code, given a charge, and tapped on a separate page. */
export function openTerminal(database: Database, clock: Clock, intents: Intents, publicOrigin: () => string) {
  const show = ({ id, label }: Reader) => ({ id, label, test_url: `${publicOrigin()}/terminal/${id}` })

  async function find(client: Pick<Client, 'query'>, id: string, account: string | null): Promise<Reader> {
    const { rows } = await client.query<Reader>(
      'SELECT * FROM reader WHERE id = $1 AND ($2::text IS NULL OR account = $2) FOR UPDATE',
      [id, account],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such reader.')
    return rows[0]
  }

  async function pair(
    client: Client,
    account: string,
    { registration_code: code, label }: { registration_code: string; label: string },
  ) {
    if (!/^simulated-[a-z0-9]{3,20}$/.test(code))
      throw new Refused(400, 'wrong_code', 'TEST: the code of a reader of the sandbox begins with “simulated-”.')
    const { rows } = await client.query<Reader>(
      `INSERT INTO reader (id, account, label, code, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account, code) DO UPDATE SET label = excluded.label RETURNING *`,
      [newId('tmr'), account, label, code, clock.now()],
    )
    return show(rows[0] as Reader)
  }

  async function list(account: string) {
    const { rows } = await database.query<Reader>('SELECT * FROM reader WHERE account = $1 ORDER BY created_at, id', [
      account,
    ])
    return { data: rows.map(show) }
  }

  /** Removes a reader. A reader that waits for a card cannot be removed. */
  async function remove(client: Client, account: string, id: string) {
    const reader = await find(client, id, account)
    if (reader.intent && (await intents.waitsOn(client, reader.intent)))
      throw new Refused(400, 'reader_busy', 'This reader waits for the card of a payment.')
    await client.query('DELETE FROM reader WHERE id = $1', [id])
    return show(reader)
  }

  /** Gives a charge to a reader, which then waits for a card. A reader with another charge is busy. */
  async function present(client: Client, account: string, id: string, intent: string) {
    const reader = await find(client, id, account)
    if (reader.intent && reader.intent !== intent && (await intents.waitsOn(client, reader.intent)))
      throw new Refused(400, 'reader_busy', 'This reader waits for the card of another payment.')
    await client.query('UPDATE reader SET intent = $2 WHERE id = $1', [id, intent])
    return intents.present(client, account, intent, id)
  }

  /** Clears a reader's display and cancels the charge that it waits for. */
  async function clear(client: Client, account: string, id: string) {
    const reader = await find(client, id, account)
    if (reader.intent && (await intents.waitsOn(client, reader.intent)))
      await intents.cancel(client, account, reader.intent)
    await client.query('UPDATE reader SET intent = NULL WHERE id = $1', [id])
    return show(reader)
  }

  /** Simulates a tapped card, a removed card or a timeout. */
  const tap = (id: string, answer: string) =>
    database.transact(async (client) => {
      const reader = await find(client, id, null)
      const scenario = testCards[answer]
      const isOver = answer === 'cancel' || answer === 'timeout'
      if (!reader.intent || (!isOver && (!scenario || !(answer in cards)))) return
      await intents.tapped(
        client,
        reader.intent,
        scenario && {
          scenario,
          method: {
            type: 'card',
            brand: brandOf(answer),
            last4: answer.slice(-4),
            exp_month: null,
            exp_year: null,
            bank_name: null,
            account_type: null,
          },
        },
        answer === 'timeout' ? 'The reader waited too long for a card.' : 'The card was taken away.',
      )
    })

  /** Page that shows the reader as at a counter. */
  async function page(id: string): Promise<string> {
    const { reader, waits } = await database.transact(async (client) => {
      const one = await find(client, id, null)
      return { reader: one, waits: one.intent ? await intents.waitsOn(client, one.intent) : null }
    })
    const buttons = [...Object.entries(cards), ['cancel', 'Take the card away'], ['timeout', 'Let it time out']]
      .map(
        ([value, label], n) =>
          `<button${n === 0 ? ' class="primary"' : ''} name="answer" value="${value}">${label}</button>`,
      )
      .join('\n')
    const amount = ((waits ?? 0) / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    const shown = waits
      ? `<p class="amount">${amount}</p><form method="post" action="${reader.id}">${buttons}</form>`
      : '<p>Ready. There is nothing to pay at the moment.</p><p><a href="">Look again</a></p>'
    return standalonePage(
      'Card reader',
      `<h1>Card reader</h1>
      <p><strong>TEST: no money moves.</strong> This page stands for the reader on the counter.</p>
      ${shown}`,
    )
  }

  return { pair, list, remove, present, clear, tap, page }
}
export type Terminal = ReturnType<typeof openTerminal>
