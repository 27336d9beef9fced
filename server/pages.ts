import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ViteDevServer } from 'vite'
import type { Boot } from '../shared/boot.ts'
import { type Entry, screenAt } from '../shared/screens.ts'
import { makeTheme } from '../shared/theme.ts'
import type { Host } from './hosts.ts'
import type { House } from './house.ts'
import { pagePolicy } from './security-headers.ts'

/** Where the pages come from: built files, or Vite while developing. */
export interface PageSource {
  development: boolean
  /** The HTML of an entry, with its placeholders. */
  html(entry: Entry | 'design', url: string): Promise<string>
  mount(app: FastifyInstance): Promise<void>
}

/** What a page starts with, so that its first paint needs no call. Given by the features. */
export type BootLoader = (house: House, host: Host, origin: string) => Promise<Boot>

/** Pages as `vite build` wrote them: assets under immutable names, compressed beforehand, a missing one is 404. */
export function builtPages(dir: string): PageSource {
  const read = new Map<string, Promise<string>>()
  return {
    development: false,
    html: (entry) => {
      const known = read.get(entry) ?? readFile(join(dir, `${entry}.html`), 'utf8')
      read.set(entry, known)
      return known
    },
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
    },
  }
}

/** Pages from Vite's server, which answers what it knows before our routes are asked. */
export const devPages = (vite: ViteDevServer): PageSource => ({
  development: true,
  html: async (entry, url) =>
    vite.transformIndexHtml(url, await readFile(join(vite.config.root, `${entry}.html`), 'utf8')),
  mount: async (app) => {
    app.addHook('onRequest', (request, reply, next) => {
      if (/^\/(?:api|webhooks|healthz|readyz|metrics)\b/.test(request.url)) return next()
      vite.middlewares(request.raw, reply.raw, () => next())
    })
  },
})

export async function mountPages(
  app: FastifyInstance,
  house: House,
  source: PageSource,
  boot: BootLoader,
): Promise<void> {
  await source.mount(app)
  const design = house.config.mode !== 'production'
  app.get('/*', async (request, reply) => {
    const path = new URL(request.url, 'http://any').pathname
    // What looks like a file and is none of ours must never be answered with a page.
    if (/\.[a-z0-9]{1,5}$/i.test(path)) return reply.callNotFound()
    if (design && path === '/design') return send(house, source, request, reply, 'design', 200, boot)
    const host = await house.hosts.resolve(request.headers.host)
    const known = screenAt(path)
    const entry = entryOf(host, path)
    const found = known?.built && (known.entry === entry || path === '/')
    return send(house, source, request, reply, entry, found ? 200 : 404, boot)
  })
}

function entryOf(host: Host, path: string): Entry {
  if (host.kind === 'admin') return 'admin'
  return host.kind === 'town' && /^\/municipality(?:\/|$)/i.test(path) ? 'municipality' : 'citizen'
}

async function send(
  house: House,
  source: PageSource,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Entry | 'design',
  status: number,
  load: BootLoader,
) {
  const host = await house.hosts.resolve(request.headers.host)
  const boot = await load(house, host, `${new URL(house.config.publicUrl).protocol}//${request.headers.host ?? ''}`)
  const nonce = randomBytes(16).toString('base64')
  const html = await source.html(entry, request.url)
  const company = host.kind === 'town' ? host.company : null
  const theme = makeTheme(company?.themeBackground, company?.themeText)
  const title = company?.name ?? 'Mainstreet'
  const head = `<title>${escapeHtml(title)}</title>
    <meta name="description" content="${escapeHtml(company ? `Online services of ${company.name}: pay bills, file forms, reach your town.` : 'Online services of your municipality.')}" />
    <link rel="icon" href="${iconOf(title, theme.tokens.deep)}" />
    <meta name="theme-color" content="${theme.tokens.deep}" />
    <meta property="csp-nonce" nonce="${nonce}" />
    <style nonce="${nonce}">${theme.cssText}</style>`
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy(nonce, house.config.gateway.publicOrigin, source.development))
    .header(
      'cross-origin-opener-policy',
      host.kind === 'admin' ? 'same-origin-allow-popups' : entry === 'municipality' ? 'unsafe-none' : 'same-origin',
    )
    .header('cache-control', 'no-store')
    .send(html.replace('<!--head-->', () => head).replace('<!--boot-->', () => bootScript(boot)))
}

/** The town's initial on its deep colour, so that its tab is found among many. */
function iconOf(name: string, colour: string): string {
  const letter = escapeHtml(name.charAt(0).toUpperCase())
  const text = `<text x="16" y="23" text-anchor="middle" font-family="Georgia,serif" font-weight="700" font-size="20" fill="#fff">${letter}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** JSON that cannot end its script element, whatever a town wrote into its texts. */
const bootScript = (boot: Boot): string =>
  `<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}</script>`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
