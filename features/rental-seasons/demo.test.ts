import { expect, test } from 'vitest'
import { loadRentalDemo } from '../../test/rental-demo.ts'
import { type LotteryInput, lotteryOf, hashOfSeed } from './rules.ts'

test('repeats the lottery of last season by its seed', async () => {
  const { owner } = await loadRentalDemo()
  const rows = async (sql: string) => (await owner.query(sql)).rows
  const renders = await rows(`
    SELECT d.*, r.seed_hash FROM rental_lottery d JOIN rental_round r ON r.company_id = d.company_id AND r.id = d.round_id`)
  expect(renders).toHaveLength(1)
  for (const { seed, seed_hash, inputs, result } of renders) {
    expect(await hashOfSeed(seed)).toBe(seed_hash)
    expect(await lotteryOf(seed, inputs as LotteryInput)).toEqual(result)
  }
  const rounds = await rows('SELECT status FROM rental_round ORDER BY status')
  expect(rounds.map(({ status }) => status)).toEqual(['closed', 'confirmed', 'open'])
  const lost = await rows(`
    SELECT a.number FROM rental_application a JOIN rental_choice w ON w.company_id = a.company_id AND w.application_id = a.id
    WHERE a.status = 'allocated' AND w.series_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM rental_reservation v WHERE v.company_id = w.company_id AND v.series_id = w.series_id AND v.status = 'completed')`)
  expect(lost).toEqual([])
})
