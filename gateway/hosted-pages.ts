import { readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { fieldsPage, standalonePage } from './fields.ts'
import type { Intents } from './intents.ts'
import { Refused } from './refused.ts'
import type { Stored } from './stored.ts'
import { allowsOrigin, type Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'
import { fieldsBody, makeToken } from './tokens.ts'

const at = (name: string) => fileURLToPath(new URL(`fields/${name}`, import.meta.url))
const { resolve } = createRequire(import.meta.url)
const FONTS = '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin'

interface Parts {
  settings: Settings
  database: Database
  clock: Clock
  intents: Intents
  stored: Stored
  terminal: Terminal
}

/** The pages that a payer's browser sees: hosted fields in a frame, and the bank's challenge. No inline script or style. */
export function mountHostedPages(
  app: FastifyInstance,
  { settings, database, clock, intents, stored, terminal }: Parts,
): void {
  const policy = (ancestors: string) =>
    [
      ...[
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
      ],
      `form-action 'self' ${settings.frameAncestors.join(' ')}`,
      `frame-ancestors ${ancestors}`,
    ].join('; ')
  const page = (reply: FastifyReply, html: string, ancestors: string, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy(ancestors),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      })
      .send(html)

  app.get<{ Params: { kind: string }; Querystring: { parent?: string } }>('/fields/:kind', async (request, reply) => {
    const html = await fieldsPage(request.params.kind)
    const parent = request.query.parent ?? ''
    if (html === null)
      return page(reply, '<!doctype html><title>Not found</title><p>There is nothing here.</p>', "'none'", 404)
    if (!allowsOrigin(settings.frameAncestors, parent))
      return page(
        reply,
        '<!doctype html><title>Not allowed</title><p>These fields cannot be shown on this site.</p>',
        "'none'",
        400,
      )
    return page(reply, html, settings.frameAncestors.join(' '))
  })

  const asset = (url: string, type: string, content: () => Promise<string | Buffer>) =>
    app.get(url, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=300')
        .header('x-content-type-options', 'nosniff')
        .send(await content()),
    )
  asset('/fields/fields.css', 'text/css; charset=utf-8', () => readFile(at('fields.css'), 'utf8'))
  asset('/fields/fields.js', 'text/javascript; charset=utf-8', () => readFile(at('fields.js'), 'utf8'))
  asset('/fields/numbers.js', 'text/javascript; charset=utf-8', async () =>
    stripTypeScriptTypes(await readFile(fileURLToPath(new URL('numbers.ts', import.meta.url)), 'utf8')),
  )
  for (const weight of ['400', '700'])
    asset(`/fields/text-${weight}.woff2`, 'font/woff2', () => readFile(resolve(`${FONTS}-${weight}-normal.woff2`)))

  app.post<{ Querystring: { account?: string } }>('/fields/tokens', async (request, reply) => {
    const parsed = fieldsBody.safeParse(request.body)
    if (!parsed.success) throw new Refused(400, 'malformed', 'Fill in every field.')
    const known = await database.query('SELECT 1 FROM account WHERE id = $1', [request.query.account ?? ''])
    if (known.rowCount === 0) throw new Refused(400, 'no_account', 'These fields belong to no account.')
    const made = await makeToken(database, clock, request.query.account ?? '', parsed.data)
    return reply.code('errors' in made ? 422 : 200).send(made)
  })

  app.get<{ Params: { id: string } }>('/challenge/:id', async (request, reply) => {
    const html = await standalonePage(
      'Approve it',
      `<h1>Is it you?</h1>
      <p><strong>TEST: no money moves.</strong> This page stands for your bank, which asks you to approve what your card is used for.</p>
      <form method="post" action="${encodeURIComponent(request.params.id)}">
        <button class="primary" name="answer" value="approve">Approve</button>
        <button name="answer" value="decline">Decline</button>
      </form>`,
    )
    return page(reply, html, "'none'")
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.post<{ Params: { id: string }; Body: { answer?: string } }>('/challenge/:id', async (request, reply) => {
    const { id } = request.params
    const asked = id.startsWith('seti_') ? stored : intents
    const { returnUrl } = await asked.answerChallenge(id, request.body?.answer === 'approve')
    const back =
      returnUrl && URL.canParse(returnUrl) && allowsOrigin(settings.frameAncestors, new URL(returnUrl).origin)
        ? returnUrl
        : null
    if (back) return reply.redirect(back, 303)
    return page(reply, '<!doctype html><title>Done</title><p>Thank you. You can close this page.</p>', "'none'")
  })

  app.get<{ Params: { id: string } }>('/terminal/:id', async (request, reply) =>
    page(reply, await terminal.page(request.params.id), "'none'"),
  )
  app.post<{ Params: { id: string }; Body: { answer?: string } }>('/terminal/:id', async (request, reply) => {
    await terminal.tap(request.params.id, request.body?.answer ?? '')
    return page(reply, await terminal.page(request.params.id), "'none'")
  })
}
