import type pg from 'pg'
import { expect } from 'vitest'

/**
 * Waits until the portal has applied all events from the gateway. On a test's clock, an event may look days old when it
 * arrives. `verifyLedger` would then fail, because it reports events that wait longer than a day.
 */
export async function expectAppliedEvents(owner: pg.Pool): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await owner.query('SELECT event_id, last_error FROM provider_event WHERE applied_at IS NULL')
      return rows
    })
    .toEqual([])
}
