import type pg from 'pg'
import { expect } from 'vitest'

/**
 * Waits until the portal has applied each event of the gateway. Otherwise `verifyLedger` would fail, because it reports
 * events that wait longer than a day. With a test's clock, events are days old on arrival.
 */
export async function expectAppliedEvents(owner: pg.Pool): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await owner.query('SELECT event_id, last_error FROM provider_event WHERE applied_at IS NULL')
      return rows
    })
    .toEqual([])
}
