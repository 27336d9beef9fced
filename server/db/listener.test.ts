import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../test/harness.ts'
import { openLog } from '../log.ts'
import { Listener } from './listener.ts'

test('reconnects after a broken connection, reports it and receives again', async () => {
  const { pools, owner } = await testDatabase()
  const listener = new Listener(pools.connection, openLog({ logLevel: 'silent' }).log)
  onTestFinished(() => listener.close())
  const heard: string[] = []
  let opened = 0
  listener.on('news', { hear: (payload) => void heard.push(payload), reopened: () => void opened++ })
  await listener.open()
  await owner.query("NOTIFY news, 'one'")
  await expect.poll(() => heard).toEqual(['one'])
  await owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()",
  )
  await expect.poll(() => opened).toBe(2)
  await owner.query("NOTIFY news, 'two'")
  await expect.poll(() => heard).toEqual(['one', 'two'])
})
