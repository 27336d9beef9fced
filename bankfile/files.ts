import type { FastifyInstance } from 'fastify'
import type { Api } from '../provider-kit/api.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { BankfileDeps } from './deps.ts'
import { returnCodes } from './nacha/return-codes.ts'
import { takeReturns } from './returns.ts'

/**
 * Maximum rates of returned debits over two months, as fractions. Above a limit, the ACH network asks for an
 * explanation.
 */
const LIMITS = { unauthorized: 0.005, administrative: 0.03, all: 0.15 }
const RATE_DAYS = 60

const FILE = `id, account, name, day, modifier, effective_on, entries, entry_hash, debit_cents, credit_cents, sha256, cut_at, laid_at`

/**
 * Mounts the calls for the officer at the bank: files to download and upload, exceptions that await staff, and return
 * rates.
 */
export function mountFiles(api: FastifyInstance, { inspect }: Api, deps: BankfileDeps): void {
  const { database, clock, seal } = deps

  inspect('/v1/files', async (of) => {
    const { rows } = await database.query(`SELECT ${FILE} FROM file WHERE account = $1 ORDER BY seq DESC LIMIT 100`, [
      of,
    ])
    return { data: rows }
  })
  inspect('/v1/files/:id', async (of, { params }) => {
    const { rows } = await database.query(`SELECT ${FILE} FROM file WHERE id = $1 AND account = $2`, [params.id, of])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such file.')
    return rows[0]
  })
  inspect('/v1/files/:id/content', async (of, { params }) => {
    const { rows } = await database.query<{ content_sealed: Buffer }>(
      'SELECT content_sealed FROM file WHERE id = $1 AND account = $2',
      [params.id, of],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such file.')
    return seal.open(rows[0].content_sealed)
  })
  inspect('/v1/exceptions', async (of) => {
    const { rows } = await database.query(
      `SELECT id, account, line, reason, code, trace, amount_cents, message, created_at, received_file FROM exception
       WHERE account = $1 OR account IS NULL ORDER BY seq DESC LIMIT 200`,
      [of],
    )
    return { data: rows }
  })
  inspect('/v1/return_rates', async (of) => rates(of))

  api.register(async (files) => {
    files.removeAllContentTypeParsers()
    files.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    files.post<{ Querystring: { name?: string } }>('/v1/returns', async (request) => {
      const content = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : ''
      return takeReturns(deps, request.query.name ?? 'returns.ach', content)
    })
  })

  async function rates(account: string) {
    const codes = (kind: 'unauthorized' | 'administrative') =>
      Object.keys(returnCodes).filter((code) => returnCodes[code]?.counts === kind)
    const { rows } = await database.query<{ sent: number; unauthorized: number; administrative: number; all: number }>(
      `SELECT count(*)::int AS sent, count(*) FILTER (WHERE return_code = ANY ($3))::int AS unauthorized,
         count(*) FILTER (WHERE return_code = ANY ($4))::int AS administrative, count(return_code)::int AS all
       FROM entry WHERE account = $1 AND kind = 'debit' AND file IS NOT NULL AND effective_on > $2::date - ${RATE_DAYS}`,
      [account, clock.now(), codes('unauthorized'), codes('administrative')],
    )
    const { sent = 0, ...returned } = rows[0] ?? {}
    const rate = (kind: keyof typeof LIMITS) => {
      const many = returned[kind as keyof typeof returned] ?? 0
      return {
        returned: many,
        rate: sent === 0 ? 0 : many / sent,
        limit: LIMITS[kind],
        over: many > sent * LIMITS[kind],
      }
    }
    return {
      days: RATE_DAYS,
      sent,
      unauthorized: rate('unauthorized'),
      administrative: rate('administrative'),
      all: rate('all'),
    }
  }
}
