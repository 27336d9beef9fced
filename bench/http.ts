import { once } from 'node:events'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import autocannon from 'autocannon'
import type { Row } from './measure.ts'
import type { BenchEnvironment } from './environment.ts'
import { portalProcess, waitForOutput, start } from './portal-process.ts'

const SECONDS = 4
const ITERATIONS = 3

interface Question {
  what: string
  method: 'GET' | 'POST'
  path: string
  body?: string
}

const questions: Question[] = [
  { what: 'return/company/id', method: 'POST', path: '/api/v2/return/company/id', body: '{"subdomain":"maplegrove"}' },
  { what: 'the landing page', method: 'GET', path: '/' },
]

/** Times two calls that every visit makes. Compares them with a minimal server that returns the same bytes. */
export async function http(environment: BenchEnvironment): Promise<Row[]> {
  const portal = await portalProcess(environment)
  const rows: Row[] = []
  for (const question of questions) rows.push(await against(question, portal.port))
  await portal.stop()
  return rows
}

async function against(question: Question, port: number): Promise<Row> {
  const { headers, body } = await responseOf(question, port)
  const bare = start('bench/bare-http.ts', [JSON.stringify({ headers, body: body.toString('base64') })])
  const barePort = Number((await waitForOutput(bare, '\n')).trim())
  const rates = { ours: [] as number[], baseline: [] as number[] }
  for (let iteration = 0; iteration <= ITERATIONS; iteration++) {
    const [ours, baseline] = [await rateAt(question, port), await rateAt(question, barePort)]
    if (iteration === 0) continue
    rates.ours.push(ours)
    rates.baseline.push(baseline)
  }
  bare.kill('SIGKILL')
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  const [ours, baseline] = [median(rates.ours), median(rates.baseline)]
  const rateText = (rate: number) => `${Math.round(rate).toLocaleString('en-US')}/s`
  return {
    what: `${question.what}, against bare node:http`,
    ours: rateText(ours),
    baseline: rateText(baseline),
    ratio: ours / baseline,
    goal: { min: 0.5 },
  }
}

const headersFor = ({ body }: Question) => ({
  host: 'maplegrove.localhost',
  ...(body !== undefined && { 'content-type': 'application/json' }),
})

/** Returns the portal's response, byte for byte. */
async function responseOf(
  question: Question,
  port: number,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const sent = request({
    host: '127.0.0.1',
    port,
    method: question.method,
    path: question.path,
    headers: headersFor(question),
  })
  sent.end(question.body)
  const [reply] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  const { connection: _connection, date: _date, 'keep-alive': _keepAlive, ...headers } = reply.headers
  return { headers: headers as Record<string, string>, body: await buffer(reply) }
}

async function rateAt(question: Question, port: number): Promise<number> {
  const { method, body } = question
  const { requests, non2xx, errors } = await autocannon({
    ...{
      url: `http://127.0.0.1:${port}${question.path}`,
      connections: 32,
      duration: SECONDS,
      method,
      headers: headersFor(question),
    },
    ...(body !== undefined && { body }),
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were refusals, ${errors} never came`)
  return requests.average
}
