import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { RudeCrowd } from '../test/rude-crowd.ts'
import { type Row, timeRow } from './measure.ts'
import type { BenchEnvironment } from './environment.ts'
import { portalProcess } from './portal-process.ts'

/** Measures the p99 of well-behaved callers at 200 calls a second, with and without misbehaving clients. */
export async function rude(environment: BenchEnvironment): Promise<Row[]> {
  const portal = await portalProcess(environment)
  await p99(portal.port)
  const alone = await p99(portal.port)
  const crowd = new RudeCrowd(portal.port)
  await crowd.idle(2000)
  await crowd.endless(200)
  await crowd.deaf(200)
  // Waits until the server has handled the burst of 4,000 arriving connections. The measurement starts after it.
  await fetch(`http://127.0.0.1:${portal.port}/healthz`)
  let isFinished = false
  const uploads = (async () => {
    for (; !isFinished; await setTimeout(100)) await crowd.upload(2 ** 30)
  })()
  const among = await p99(portal.port)
  isFinished = true
  await uploads
  crowd.leave()
  await portal.stop()
  return [
    timeRow(
      'p99 of return/company/id beside 2,000 idle and 400 rude connections and uploads of 1 GB, against alone',
      { ours: among, baseline: alone },
      null,
    ),
  ]
}

async function p99(port: number): Promise<number> {
  const { latency, errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}/api/v2/return/company/id`,
    method: 'POST',
    headers: { host: 'maplegrove.localhost', 'content-type': 'application/json' },
    body: '{"subdomain":"maplegrove"}',
    connections: 10,
    overallRate: 200,
    duration: 6,
    // Uses a separate thread, so that the misbehaving clients' work does not affect the measurement.
    workers: 1,
  })
  if (errors + non2xx > 0) throw new Error(`${errors} calls failed, ${non2xx} were refused`)
  return latency.p99
}
