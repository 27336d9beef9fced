import type { FastifyInstance } from 'fastify'
import { openPages, standalonePage } from '../provider-kit/hosted.ts'
import { allowsOrigin } from '../provider-kit/origins.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { fieldsPage } from './fields.ts'
import { resolveIntentChallenge } from './intents.ts'
import { readerPage, tapReader } from './reader-page.ts'
import { resolveSetupChallenge } from './setups.ts'
import { fieldsBody, makeToken } from './tokens.ts'

/**
 * Serves the pages for the payer's browser: hosted fields in a frame, and the bank's challenge. The pages have no
 * inline scripts or styles.
 */
export function mountHostedPages(
  app: FastifyInstance,
  frameAncestors: readonly string[],
  deps: GatewayDeps,
): ReturnType<typeof openPages> {
  const pages = openPages(app, frameAncestors)
  const { page, mountFields } = pages
  const { database, clock } = deps
  mountFields(fieldsPage)

  app.post<{ Querystring: { account?: string } }>('/fields/tokens', async (request, reply) => {
    const parsed = fieldsBody.safeParse(request.body)
    if (!parsed.success) throw new Refused(400, 'malformed', 'Fill in every field.')
    const existing = await database.query('SELECT 1 FROM account WHERE id = $1', [request.query.account ?? ''])
    if (existing.rowCount === 0) throw new Refused(400, 'no_account', 'These fields belong to no account.')
    const made = await makeToken(database, clock, request.query.account ?? '', parsed.data)
    return reply.code('errors' in made ? 422 : 200).send(made)
  })

  app.get<{ Params: { id: string } }>('/challenge/:id', async (request, reply) => {
    const html = await standalonePage(
      'Approve it',
      `<h1>Is it you?</h1>
      <p><strong>TEST: no money moves.</strong> This page stands for your bank, which asks you to approve what your card is used for.</p>
      <form method="post" action="${encodeURIComponent(request.params.id)}">
        <button class="primary" name="response" value="approve">Approve</button>
        <button name="response" value="decline">Decline</button>
      </form>`,
    )
    return page(reply, html, "'none'")
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.post<{ Params: { id: string }; Body: { response?: string } }>('/challenge/:id', async (request, reply) => {
    const { id } = request.params
    const resolveChallenge = id.startsWith('seti_') ? resolveSetupChallenge : resolveIntentChallenge
    const { returnUrl } = await resolveChallenge(deps, id, request.body?.response === 'approve')
    const back =
      returnUrl && URL.canParse(returnUrl) && allowsOrigin(frameAncestors, new URL(returnUrl).origin) ? returnUrl : null
    if (back) return reply.redirect(back, 303)
    return page(reply, '<!doctype html><title>Done</title><p>Thank you. You can close this page.</p>', "'none'")
  })

  app.get<{ Params: { id: string } }>('/terminal/:id', async (request, reply) =>
    page(reply, await readerPage(deps, request.params.id), "'none'"),
  )
  app.post<{ Params: { id: string }; Body: { response?: string } }>('/terminal/:id', async (request, reply) => {
    await tapReader(deps, request.params.id, request.body?.response ?? '')
    return page(reply, await readerPage(deps, request.params.id), "'none'")
  })
  return pages
}
