import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Creates work items that finish on demand, and records which items have started. */
function bench() {
  const started: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const endNext = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { started, work, endNext }
}

it('runs a limited number in parallel and serves callers in turns', async () => {
  const { started, work, endNext } = bench()
  const queue = new FairQueue(2)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void queue.run(name.charAt(0), work(name))
  expect(started).toEqual(['a1', 'a2'])
  for (let n = 0; n < 7; n += 1) await endNext()
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2'])
  void queue.run('d', work('d1'))
  void queue.run('d', work('d2'))
  void queue.run('d', work('d3'))
  expect(started.slice(7)).toEqual(['d1', 'd2'])
})

it('continues after work that failed', async () => {
  const queue = new FairQueue(1)
  const failed = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('a', async () => 'done')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})

it('refuses only the caller with too much waiting work', async () => {
  const { work } = bench()
  const queue = new FairQueue(1)
  for (let n = 0; n <= 200; n += 1) void queue.run('a', work('a'))
  await expect(queue.run('a', work('a'))).rejects.toMatchObject({ status: 429 })
  void queue.run('b', work('b')).catch(() => expect.unreachable())
})
