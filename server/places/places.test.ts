import { expect, test } from 'vitest'
import { testPortal } from '../../test/harness.ts'
const portal = await testPortal({ demo: true })
test('demo', async () => {
  console.log(
    (await portal.owner.query('select company_id, count(*), count(distinct street_id) from address group by 1')).rows,
  )
  console.log((await portal.owner.query('select * from town_map')).rows)
  const t = performance.now()
  console.log((await portal.post('maplegrove.localhost', 'find/addresses', { search: '214 sicamore' })).body)
  console.log(performance.now() - t)
  console.log((await portal.post('maplegrove.localhost', 'find/nearest/address', { lat: 40.2412, lon: -76.9237 })).body)
  expect(1).toBe(1)
})
