import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Messages } from '@lingui/core'
import type { FastifyInstance } from 'fastify'
import type { BootData, BootResponse } from '../shared/boot.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import { screenAt } from '../shared/all-screens.ts'
import type { Entry, RenderKind } from '../shared/screens.ts'
import { digitsOf, formatPhone } from '../shared/phone.ts'
import { makeTheme } from '../shared/theme.ts'
import { say } from '../shared/messages.ts'
import type { PageOrigins } from './feature.ts'
import { ARIA_SCROLL_STYLE, ARIA_STYLE, ARIA_STYLE_ID } from './aria-styles.ts'
import type { AppContext } from './app-context.ts'
import type { Host } from './hosts.ts'
import { escapeHtml } from './html.ts'
import { readersLanguage } from './languages.ts'
import { pagePolicy } from './security-headers.ts'

/** Source of the pages: built files, or Vite during development. */
export interface PageSource {
  development: boolean
  /** Returns the HTML of an entry page, with its unfilled placeholders. */
  html(entry: Entry | 'design', url: string): Promise<string>
  /** Renders residents' pages. Without it, only the browser renders pages. */
  renderer?: PageRenderer
  mount(app: FastifyInstance): Promise<void>
}

/** Bundle of residents' screens for the server (`portal/citizen-server.tsx`). */
export interface PageRenderer {
  /** Returns how the server renders the page of a path (`RouteDef.rendered`). Null if only the browser renders it. */
  kindOf: (path: string) => RenderKind | null
  /** Renders the HTML and title of a page. Returns null for a page that only the browser renders. */
  renderPage: (boot: BootData, url: PageUrl, messages: Messages) => Promise<{ html: string; title: string } | null>
  /** Returns the calls that a page makes first. Their responses go into `boot.responses`. */
  callsOf: (url: PageUrl) => Promise<readonly (readonly [Endpoint, object])[]>
  /** Returns the inline script that loads the main script of a page, and the files that it imports. */
  earlyScript: (path: string, files: { script: string; preloads: readonly string[] }) => Promise<string>
}

/** URL of a page, with the query string and its question mark, or ''. */
export interface PageUrl {
  path: string
  query: string
}

/** Screen that the server renders, with the responses that it shows. */
interface PageScreen extends PageUrl {
  responses: BootResponse[]
  /** True if only the person with the link may see the responses. */
  isSecret: boolean
}

/** Returns a key for the content of a screen. */
const keyOf = ({ path, query, responses }: PageScreen): string =>
  responses.length === 0 ? path + query : `${path}${query} ${digestOf(JSON.stringify(responses), 'base64url')}`

/** Form of a page that works without JavaScript. */
export type FormOfPage = Pick<BootData, 'sentForm' | 'formKey'>

/** Function that makes a call for the visitor of a page. Returns null if the call is refused. */
export type LoadResponse = (endpoint: Endpoint, body: object) => Promise<unknown>

/** Function that loads the initial data of a page from the features. The page can then first render without a call. */
export type BootLoader = (context: AppContext, host: Host) => Promise<BootData>

/** Function that collects from the features which other sites a page uses. */
export type OriginsLoader = (context: AppContext, host: Host) => Promise<PageOrigins>

/** A page and the headers of its response. */
interface PageText {
  html: Buffer
  /** The HTML compressed with Brotli. Null for a page that is not cached. */
  compressed: Buffer | null
  /** Weak, because the encodings of a page share it. */
  etag: string
  /** True if no cache may keep the page. */
  isSecret: boolean
  /** Content-Security-Policy, with a hash of each inline style. */
  policy: string
  origins: PageOrigins
}

/** Cache time of a page, in milliseconds. A change of any company clears the cache in every portal process. */
const CACHE_MS = 60_000
/** Maximum size of all cached pages, in bytes. Most pages have 50 kB, and the list of all FAQs has 200 kB. */
const MAX_STORED_BYTES = 64 * 1024 * 1024

/** Renders the pages of hosts. Caches pages of existing companies, because everyone gets the same page. */
export class PageTexts {
  readonly #context: AppContext
  readonly #source: PageSource
  readonly #boot: BootLoader
  readonly #origins: OriginsLoader
  readonly #cache = new Map<string, { text: Promise<PageText>; generation: number; until: number }>()
  /** Estimated size of the cached pages, with their compressed forms. */
  #storedBytes = 0

  constructor(context: AppContext, source: PageSource, boot: BootLoader, origins: OriginsLoader) {
    this.#context = context
    this.#source = source
    this.#boot = boot
    this.#origins = origins
  }

  /**
   * Returns the page in the reader's language.
   * @param load makes the calls of a page that the server may render. Null for a page that only the browser renders
   */
  async of(
    host: Host,
    entry: Entry | 'design',
    url: string,
    load: LoadResponse | null,
    form: FormOfPage,
  ): Promise<PageText> {
    const screen = load && (await this.#screenOf(url, load, form.sentForm !== null))
    const make = () => this.#make(host, entry, url, screen, form)
    const isPersonal = form.sentForm !== null || form.formKey !== '' || screen?.isSecret
    if (this.#source.development || isPersonal || (host.kind === 'company' && !host.company)) return make()
    const site = host.kind === 'company' ? host.company?.id : host.kind
    return this.#cached(`${entry} ${site} ${readersLanguage()?.locale ?? ''} ${screen ? keyOf(screen) : ''}`, make)
  }

  /** Returns the screen that the server renders for a URL. Null if only the browser renders it, or a call is refused. */
  async #screenOf(url: string, load: LoadResponse, isSent: boolean): Promise<PageScreen | null> {
    const { renderer } = this.#source
    const [path = '', search] = url.split('?', 2)
    const query = search ? `?${search}` : ''
    const kind = renderer?.kindOf(path)
    // Everyone may share the page of a screen without parameters and query.
    if (kind === 'cached')
      return isSent || screenAt(url)?.path === url ? { path, query, responses: [], isSecret: false } : null
    if (!renderer || !kind) return null
    const calls = await renderer.callsOf({ path, query })
    const responses = await Promise.all(
      calls.map(async ([endpoint, body]) => ({ path: endpoint.path, body, response: await load(endpoint, body) })),
    )
    return responses.some(({ response }) => response === null)
      ? null
      : { path, query, responses, isSecret: kind === 'token' }
  }

  #cached(key: string, make: () => Promise<PageText>): Promise<PageText> {
    const { generation } = this.#context.hosts
    const now = this.#context.clock.now().getTime()
    const cached = this.#cache.get(key)
    if (cached && cached.generation === generation && cached.until > now && cached.until <= now + CACHE_MS)
      return cached.text
    const text = make().then(compressed)
    // A page that failed to render is not cached.
    text.then(
      ({ html }) => (this.#storedBytes += 2 * html.length),
      () => this.#cache.delete(key),
    )
    if (this.#storedBytes > MAX_STORED_BYTES) {
      this.#cache.clear()
      this.#storedBytes = 0
    }
    this.#cache.set(key, { text, generation, until: now + CACHE_MS })
    return text
  }

  /** Renders a screen into the HTML of its entry. If that fails, the browser renders it. */
  async #render(file: string, boot: BootData, screen: PageScreen, messages: Messages) {
    const { renderer } = this.#source
    try {
      const rendered = await renderer?.renderPage(boot, screen, messages)
      return renderer && rendered ? { ...rendered, ...(await withEarlyScript(file, screen.path, renderer)) } : null
    } catch (error) {
      this.#context.log.error({ err: error, screen: screen.path }, 'a page could not be rendered')
      return null
    }
  }

  async #make(
    host: Host,
    entry: Entry | 'design',
    url: string,
    screen: PageScreen | null,
    form: FormOfPage,
  ): Promise<PageText> {
    const language = readersLanguage()
    const loaded = await this.#boot(this.#context, host)
    const boot = {
      ...loaded,
      ...(language && { locale: language.locale, languageUrl: language.url }),
      ...form,
      responses: screen?.responses ?? [],
    }
    const file = await this.#source.html(entry, url)
    const rendered = screen && (await this.#render(file, boot, screen, language?.messages ?? {}))
    const company = host.kind === 'company' ? host.company : null
    const theme = makeTheme(company?.themeBackground, company?.themeText)
    const siteName = company?.name ?? 'Mainstreet'
    const style = theme.cssText + HELP_STYLE + ARIA_STYLE + tileStyle(boot)
    // The early script is before the style sheets, because a script waits for them.
    const head = `${rendered ? `<script>${rendered.script}</script>${WHOLE}` : ''}<title>${escapeHtml(titleOf(boot, rendered?.title ?? siteName))}</title>
    <meta name="description" content="${escapeHtml(company ? say`Online services from ${company.name}: pay bills, submit forms and contact your municipality.` : say`Online services from your municipality.`)}" />
    <link rel="icon" href="${iconOf(siteName, theme.tokens.deep)}" />
    <meta name="theme-color" content="${theme.tokens.deep}" />
    <style id="${ARIA_STYLE_ID}">${style}</style>
    <noscript><style>${NO_SCRIPT_STYLE}</style></noscript>`
    const content = rendered
      ? `<div id="root" data-rendered>${rendered.html}</div>${helpOf(boot, { above: true, needed: needsScript(rendered.html) })}`
      : `<div id="root">${helpOf(boot, { title: siteName })}</div>`
    const page = (rendered?.file ?? file)
      .replace('<html lang="en">', `<html lang="${boot.locale}">`)
      .replace('<!--head-->', () => head)
      .replace('<div id="root"></div>', () => content)
      .replace('<!--boot-->', () => bootScript(boot))
    const origins = await this.#origins(this.#context, host)
    const { gateway, supportFormUrl } = this.#context.config
    return {
      html: Buffer.from(page),
      compressed: null,
      etag: `W/"${digestOf(page, 'base64url').slice(0, 22)}"`,
      isSecret: screen?.isSecret ?? false,
      policy: pagePolicy(
        [style, NO_SCRIPT_STYLE, ARIA_SCROLL_STYLE].map(hashSource),
        rendered ? [hashSource(rendered.script)] : [],
        { ...origins, frames: [gateway.publicOrigin, ...origins.frames] },
        supportFormUrl,
        this.#source.development,
      ),
      origins,
    }
  }
}

/** Returns the title of the browser's tab. After a refused form, screen readers first read that it has an error. */
const titleOf = ({ sentForm }: BootData, title: string): string => (sentForm?.refusal ? say`Error: ${title}` : title)

/** Returns the colors of the companies' tiles in the directory. */
const tileStyle = ({ directory }: BootData): string =>
  directory.map(({ url, colors }) => `[data-company="${url}"]{--deep:${colors.deep};--tint:${colors.tint}}`).join('')

/** Replaces the main script of a page with an inline script, which loads the main script later. */
async function withEarlyScript(
  html: string,
  path: string,
  { earlyScript }: PageRenderer,
): Promise<{ file: string; script: string }> {
  const [tag, script] = /<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(html) ?? []
  if (tag === undefined || script === undefined) throw new Error('The page has no main script.')
  const preloads = [...html.matchAll(PRELOAD)].map(([, href = '']) => href)
  return { file: html.replace(tag, '').replaceAll(PRELOAD, ''), script: await earlyScript(path, { script, preloads }) }
}

const PRELOAD = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g

/** Returns the source expression with which a policy permits this inline text. */
const hashSource = (text: string): string => `'sha256-${digestOf(text, 'base64')}'`

const digestOf = (text: string, encoding: 'base64' | 'base64url'): string =>
  createHash('sha256').update(text).digest(encoding)

/** Compresses a page with the highest quality. This takes about 15 ms, so only cached pages are compressed in advance. */
const compressed = async (page: PageText): Promise<PageText> => ({
  ...page,
  compressed: await promisify(brotliCompress)(page.html),
})

/** Delays the first paint until the browser has read the whole page. A part of it could move when the rest arrives. */
const WHOLE = '<link rel="expect" href="#boot" blocking="render" />'

/**
 * Style of a page without JavaScript. Hides the buttons and file fields that need it, and opens the menu. Shows the help
 * text above pages that need JavaScript. The document has the help after the page, so that the link to the content is the
 * first link.
 */
const NO_SCRIPT_STYLE =
  '#help,#help.beside{visibility:visible;display:block}#help[data-optional]{display:none}' +
  'body{display:flex;flex-direction:column}#help.beside{order:-1;width:100%}' +
  '#root button:not([data-plain] [type=submit]),#root [data-plain] div:has([type=file]){display:none}' +
  '#root [data-scripted]{display:none}#root [data-menu]{display:flex}#root nav ul{flex-flow:row wrap}'

/**
 * Style of the help text. Without JavaScript, the text is visible immediately. With JavaScript, the text becomes
 * visible only if the script has not loaded after a delay. Once loaded, the script replaces the text with the screen.
 *
 * Until then, the text uses a font of the browser. A page gives up on a web font (`font-display: optional`) soon after
 * its first text needs the font. The first text that needs it must therefore be the screen's, when the font is loaded.
 */
const HELP_STYLE =
  '#help{max-width:40rem;margin:0 auto;padding:12vh 1.25rem 0;visibility:hidden;animation:help 0s 8s forwards!important}' +
  '#help>*{margin-bottom:1rem}@keyframes help{to{visibility:visible}}' +
  '#help.beside{display:none;padding:1.25rem}[data-failed] #help.beside{visibility:visible;display:block;position:fixed;inset:auto 0 0;max-width:none;background:var(--surface);border-top:2px solid var(--edge)}[data-rerender] #root{visibility:hidden}' +
  '@media(scripting:enabled){#help,#help *{font-family:sans-serif}}'

/** True if the main part of a page has a form or a button that needs JavaScript. */
function needsScript(html: string): boolean {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  const replaced = /<div data-scripted.*?<noscript>/gs
  return /<(?:form|button)\b/.test(main.replaceAll(replaced, '').replaceAll(/<form[^>]*data-plain.*?<\/form>/gs, ''))
}

interface Help {
  /** Name of the company, if the page has no other content. */
  title?: string
  /** True if the text is above a page that the server has rendered. */
  above?: boolean
  /** True if a page without JavaScript shows the text. */
  needed?: boolean
}

/** Renders the help text for a page that does not load: the company's contact data and advice. */
function helpOf({ footer, support }: BootData, { title, above = false, needed = true }: Help): string {
  const phone = footer?.phone_no || support.phone
  const address = footer && [
    footer.address1,
    footer.address2,
    footer.city,
    `${footer.state ?? ''} ${footer.zipcode ?? ''}`.trim(),
  ]
  const lines = [
    ...(address ? [escapeHtml(address.filter(Boolean).join(', '))] : []),
    ...(phone ? [`<a class="link" href="tel:${digitsOf(phone)}">${escapeHtml(formatPhone(phone))}</a>`] : []),
    say`This page needs JavaScript, which is turned off or did not load. Turn on JavaScript in your browser, or reload the page.`,
    ...(phone
      ? [say`If that does not help, call us. All of our online services are also available by phone or at our counter.`]
      : []),
  ]
  const head = title === undefined ? '' : `<h1>${escapeHtml(title)}</h1>`
  const tag = above ? 'aside' : 'div'
  return `<${tag} id="help"${above ? ' class="beside"' : ''}${needed ? '' : ' data-optional'}>${head}${lines.map((line) => `<p>${line}</p>`).join('')}</${tag}>`
}

/** Renders the browser tab icon: the company's initial on its dark color. It helps people find the tab among many. */
function iconOf(name: string, color: string): string {
  const initial = escapeHtml(name.charAt(0).toUpperCase())
  const text = `<text x="16" y="23" text-anchor="middle" font-family="Georgia,serif" font-weight="700" font-size="20" fill="#fff">${initial}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${color}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Renders JSON for a script element. Even if a company's text contains HTML, the JSON can't end the element early. */
const bootScript = (boot: BootData): string =>
  `<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}</script>`
