import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ViteDevServer } from 'vite'
import { screenAt } from '../shared/all-screens.ts'
import type { SentForm } from '../shared/boot.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { Entry } from '../shared/screens.ts'
import type { Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { type FormPost, mountFormPosts } from './form-posts.ts'
import { isClosed } from './modules.ts'
import {
  type BootLoader,
  type FormOfPage,
  type LoadResponse,
  type OriginsLoader,
  type PageRenderer,
  type PageSource,
  PageTexts,
} from './page-texts.ts'
import { permissionsFor } from './security-headers.ts'

/** Serves the files of `vite build`. Assets are compressed and have immutable names. A missing asset is a 404. */
export function builtPages(dir: string, renderer: PageRenderer): PageSource {
  const read = new Map<string, Promise<string>>()
  return {
    development: false,
    html: (entry) => {
      const loading = read.get(entry) ?? readFile(join(dir, `${entry}.html`), 'utf8')
      read.set(entry, loading)
      return loading
    },
    renderer,
    mount: async (app) => {
      await app.register(fastifyStatic, {
        root: join(dir, 'assets'),
        prefix: '/assets/',
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        index: false,
        decorateReply: false,
      })
      // The service worker has a separate content security policy, which allows calls only to this origin.
      const worker = await readFile(join(dir, 'field-worker.js')).catch(() => null)
      if (worker)
        app.get('/municipality/field-worker.js', (_request, reply) =>
          reply
            .type('text/javascript; charset=utf-8')
            .header('content-security-policy', "default-src 'none'; connect-src 'self'")
            .header('cache-control', 'no-cache')
            .send(worker),
        )
    },
  }
}

/** Serves pages from Vite. Only the browser renders them, so that each change is visible immediately. Vite handles requests for files that it knows before the portal's routes do. */
export const devPages = (vite: ViteDevServer): PageSource => ({
  development: true,
  html: async (entry, url) => {
    const page = await readFile(join(vite.config.root, 'page.html'), 'utf8')
    return vite.transformIndexHtml(url, page.replace('%entry%', entry))
  },
  mount: async (app) => {
    app.addHook('onRequest', (request, reply, next) => {
      if (/^\/(?:api|webhooks|healthz|readyz|metrics)\b/.test(request.url)) return next()
      vite.middlewares(request.raw, reply.raw, () => next())
    })
  },
})

export async function mountPages(
  app: FastifyInstance,
  context: AppContext,
  source: PageSource,
  boot: BootLoader,
  origins: OriginsLoader,
  formPosts: readonly FormPost[],
): Promise<void> {
  await source.mount(app)
  const design = context.config.mode !== 'production'
  const texts = new PageTexts(context, source, boot, origins)
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    host: Host,
    entry: Entry | 'design',
    status: number,
    load: LoadResponse | null = null,
    form: FormOfPage = NO_FORM,
  ) => {
    const page = await texts.of(host, entry, request.url, load, form)
    const { html, compressed, etag, policy, origins: elsewhere } = page
    // Only scripts from these origins may open the browser's wallet.
    if (elsewhere.scripts.length > 0) reply.header('permissions-policy', permissionsFor(elsewhere.scripts))
    reply
      .header('content-security-policy', policy)
      .header('cross-origin-opener-policy', openerPolicy(host, entry, status))
      .header('vary', 'accept-encoding, accept-language')
      .type('text/html; charset=utf-8')
    // A browser keeps a page of residents for Back, if the page permits storing. Pages of staff and of secret links do not.
    if (entry !== 'citizen' || form.sentForm || page.isSecret) reply.header('cache-control', 'no-store')
    else {
      reply.header('cache-control', 'private, no-cache').header('etag', etag)
      if (status === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send()
    }
    reply.code(status)
    if (!compressed || !negotiate(request.headers['accept-encoding'] ?? '', ['br'])) return reply.send(html)
    return reply.header('content-encoding', 'br').send(compressed)
  }
  const formOf = (path: string | undefined, sentForm: SentForm | null): FormOfPage => {
    const creates = formPosts.some((post) => post.path === path && post.endpoint.idempotent)
    return { sentForm, formKey: creates ? randomUUID() : '' }
  }
  app.get('/*', async (request, reply) => {
    const path = request.url.replace(/[?#].*$/, '')
    // A request for a missing file must get a 404, never a page.
    if (/\.[a-z0-9]{1,5}$/i.test(path)) return reply.callNotFound()
    const host = await context.hosts.resolve(request.headers.host)
    if (design && path === '/design') return send(request, reply, host, 'design', 200)
    const matched = screenAt(path)
    const entry = entryOf(host, path)
    const closed = host.kind === 'company' && host.company !== null && isClosed(host.company, path)
    const hasScreen = matched?.built && (matched.entry === entry || path === '/') && !closed
    const load = entry === 'citizen' && matched ? callsFor(app, request) : null
    return send(request, reply, host, entry, hasScreen ? 200 : 404, load, formOf(matched?.path, null))
  })
  mountFormPosts(
    app,
    formPosts,
    (request, endpoint, body, key) => callAs(app, request, endpoint, body, key),
    async (request, reply, status, sent) => {
      const host = await context.hosts.resolve(request.headers.host)
      const path = request.url.replace(/[?#].*$/, '')
      if (entryOf(host, path) !== 'citizen') {
        reply.callNotFound()
        return reply
      }
      return send(request, reply, host, 'citizen', status, callsFor(app, request), formOf(screenAt(path)?.path, sent))
    },
  )
}

const NO_FORM: FormOfPage = { sentForm: null, formKey: '' }

/** Headers that a call has in common with the request of its page: they name the municipality, the person and the language. */
const CALL_HEADERS = [
  'host',
  'accept-language',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** Makes a call as the visitor who sent a request, with the same limits as a call of the browser. */
async function callAs(
  app: FastifyInstance,
  { headers, socket }: FastifyRequest,
  { path, method, idempotent }: Endpoint,
  body: object,
  key = '',
): Promise<{ status: number; json: unknown }> {
  const shared = Object.entries(headers).filter(([name]) => CALL_HEADERS.includes(name))
  const response = await app.inject({
    method,
    url: `/api/v2/${path}`,
    headers: {
      ...Object.fromEntries(shared),
      'content-type': 'application/json',
      ...(idempotent && key && { 'idempotency-key': key }),
    },
    ...(socket.remoteAddress && { remoteAddress: socket.remoteAddress }),
    ...(method === 'POST' && { payload: JSON.stringify(body) }),
  })
  return { status: response.statusCode, json: response.json() }
}

/** Returns a function that loads the responses of a page for its visitor. */
const callsFor =
  (app: FastifyInstance, request: FastifyRequest): LoadResponse =>
  async (endpoint, body) => {
    const { status, json } = await callAs(app, request, endpoint, body)
    return status === 200 ? json : null
  }

function entryOf(host: Host, path: string): Entry {
  if (host.kind === 'admin') return 'admin'
  return host.kind === 'company' && /^\/municipality(?:\/|$)/i.test(path) ? 'municipality' : 'citizen'
}

/**
 * Returns the Cross-Origin-Opener-Policy of a page. The administrator's window must be able to communicate with the
 * company's window that it opens. The page for a mistyped URL must not separate these windows, because that would end
 * the impersonation.
 */
function openerPolicy(host: Host, entry: Entry | 'design', status: number): string {
  if (host.kind === 'admin') return 'same-origin-allow-popups'
  return entry === 'municipality' || status === 404 ? 'unsafe-none' : 'same-origin'
}
