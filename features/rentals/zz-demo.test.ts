import { expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'
import { demo } from './demo.ts'

const portal = await testPortal({ clock: testClock('2027-03-01T15:00:00.000Z') })
test('demo', { timeout: 200_000 }, async () => {
  const company = await openTestTown(portal, mapleGrove)
  const { house } = portal
  await demo.town?.(
    { ...house, db: (portal as never as { pools: never }).pools ?? (house as never as { db: never }).db } as never,
    mapleGrove as never,
    { company, households: [] } as never,
  )
  const q = async (text: string) => (await portal.owner.query(text)).rows
  console.log(
    await q('SELECT status, count(*)::int FROM rental_certificate GROUP BY 1'),
    await q('SELECT count(*)::int FROM rental_photo'),
    await q(`SELECT name, status, starts_at, created_at FROM rental_reservation WHERE status = 'waiting'`),
    await q('SELECT name, certificate_from FROM rental_resource'),
  )
  expect(1).toBe(1)
})
