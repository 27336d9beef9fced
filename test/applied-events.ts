import type pg from 'pg'
import { expect } from 'vitest'

/**
 * Waits until the portal has applied each event that the gateway sent. `verifyLedger` reports an event that waits for a day, and
 * an event of a test's clock is days old when it arrives.
 */
export async function expectAppliedEvents(owner: pg.Pool): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await owner.query('SELECT event_id, last_error FROM provider_event WHERE applied_at IS NULL')
      return rows
    })
    .toEqual([])
}
