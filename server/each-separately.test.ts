import { expect, test } from 'vitest'
import { eachSeparately } from './each-separately.ts'
import type { Log } from './log.ts'

test('works on all items and fails with the first error', async () => {
  const logged: unknown[] = []
  const log = { error: (details: { company: number }) => logged.push(details.company) } as unknown as Log
  const done: number[] = []
  const items = [1, 2, 3, 4].map((company_id) => ({ company_id }))
  const working = eachSeparately({ log }, items, async ({ company_id }) => {
    if (company_id % 2 === 0) throw new Error(`municipality ${company_id}`)
    done.push(company_id)
  })
  await expect(working).rejects.toThrow('municipality 2')
  expect([done, logged]).toEqual([
    [1, 3],
    [2, 4],
  ])
})
