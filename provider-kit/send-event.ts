import { createHmac } from 'node:crypto'

export const SEND_TIMEOUT_MS = 10_000

export interface EventRow {
  id: string
  account: string
  type: string
  data: unknown
  created_at: Date
}

export interface Webhook {
  webhookUrl: string
  webhookSecret: string
}

/** Sends one event, signed with the time in `now`. Returns true if the receiver accepted it. */
export async function sendEvent(event: EventRow, now: Date, webhook: Webhook): Promise<boolean> {
  const { id, type, created_at, account, data } = event
  const body = JSON.stringify({ id, type, created_at: created_at.toISOString(), account, data })
  const seconds = Math.floor(now.getTime() / 1000)
  const signature = createHmac('sha256', webhook.webhookSecret).update(`${seconds}.${body}`).digest('hex')
  try {
    const response = await fetch(webhook.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'gateway-signature': `t=${seconds},v1=${signature}` },
      body,
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
