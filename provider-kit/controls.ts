import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Clock } from './clock.ts'
import { clean, type Events } from './events.ts'
import { faultKinds, type Faults } from './faults.ts'

const clockMove = z.object({ now: z.optional(z.iso.datetime()), advance_seconds: z.optional(z.number()) })
const chance = z._default(z.number().check(z.minimum(0), z.maximum(1)), 0)
const mischief = z.object({
  mode: z.union([
    z.literal('clean'),
    z.object({
      duplicate: chance,
      reorder: chance,
      drop: chance,
      delay_ms: z._default(z.int(), 0),
      seed: z._default(z.int(), 1),
    }),
  ]),
})
const planted = z.object({ fault: z.enum(faultKinds), path: z._default(z.string(), ''), count: z._default(z.int(), 1) })

interface Parts {
  clock: Clock
  events: Events
  faults: Faults
  /** Processes the work that is due, after the clock moves or before events are sent. */
  advance: () => Promise<unknown>
}

/**
 * Adds the test controls: the clock, planted faults and faults in event delivery. Never available where real money
 * moves.
 */
export function mountControls(api: FastifyInstance, { clock, events, faults, advance }: Parts): void {
  api.get('/v1/test/clock', async () => ({ now: clock.now().toISOString() }))
  api.post('/v1/test/clock', async (request) => {
    const { now, advance_seconds } = clockMove.parse(request.body)
    const at = await clock.move({
      now,
      advanceMs: advance_seconds === undefined ? undefined : advance_seconds * 1000,
    })
    await advance()
    return { now: at.toISOString() }
  })
  api.post('/v1/test/faults', async (request) => {
    faults.plant(planted.parse(request.body))
    return { planted: true }
  })
  api.delete('/v1/test/faults', async () => {
    faults.clear()
    return { planted: false }
  })
  api.post('/v1/test/webhooks', async (request) => {
    const { mode } = mischief.parse(request.body)
    events.misbehave(mode === 'clean' ? clean : { ...mode, delayMs: mode.delay_ms })
    return { mode }
  })
  api.post('/v1/test/flush', async () => {
    await advance()
    return { delivered: await events.deliver(true) }
  })
}
