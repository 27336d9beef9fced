import { escapeHtml } from './html.ts'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { BootData } from '../shared/boot.ts'
import type { Entry } from '../shared/screens.ts'
import { digitsOf, formatPhone } from '../shared/phone.ts'
import { makeTheme } from '../shared/theme.ts'
import { say } from '../shared/words.ts'
import type { PageOrigins } from './feature.ts'
import type { Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { readersLanguage } from './languages.ts'

/** Where the pages come from: built files, or Vite while developing. */
export interface PageSource {
  development: boolean
  /** The HTML of an entry, with its placeholders. */
  html(entry: Entry | 'design', url: string): Promise<string>
  mount(app: FastifyInstance): Promise<void>
}

/** What a page starts with, so that its first paint needs no call. Given by the features. */
export type BootLoader = (context: AppContext, host: Host) => Promise<BootData>

/** What its pages may load from elsewhere. Given by the features. */
export type OriginsLoader = (context: AppContext, host: Host) => Promise<PageOrigins>

/** A page's bytes, cut where each answer's own nonce belongs, and what it may load from elsewhere. */
interface PageText {
  parts: readonly Buffer[]
  origins: PageOrigins
}

/** How long a page is kept; a change of any company drops all of them at once, on every portal. */
const KEPT_MS = 60_000
/** A page is some 10 kB. */
const MAX_STORED = 1000

/** Makes the pages of hosts, and keeps those of towns that exist, since most of a page is the same for everybody. */
export class PageTexts {
  readonly #context: AppContext
  readonly #source: PageSource
  readonly #boot: BootLoader
  readonly #origins: OriginsLoader
  readonly #kept = new Map<string, { text: Promise<PageText>; generation: number; until: number }>()
  /** Stands for the nonce. Nobody outside knows it, so that no town's text can hold it. */
  readonly #mark = randomUUID()

  constructor(context: AppContext, source: PageSource, boot: BootLoader, origins: OriginsLoader) {
    this.#context = context
    this.#source = source
    this.#boot = boot
    this.#origins = origins
  }

  /** The page with this nonce in it. */
  async of(host: Host, entry: Entry | 'design', url: string, nonce: string) {
    const { parts, origins } = await this.#text(host, entry, url)
    const mine = Buffer.from(nonce)
    const page = Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [mine, part])))
    return { page, origins }
  }

  #text(host: Host, entry: Entry | 'design', url: string): Promise<PageText> {
    if (this.#source.development || (host.kind === 'town' && !host.company)) return this.#make(host, entry, url)
    const key = `${entry} ${host.kind === 'town' ? host.company?.id : host.kind} ${readersLanguage()?.locale ?? ''}`
    const { generation } = this.#context.hosts
    const now = this.#context.clock.now().getTime()
    const known = this.#kept.get(key)
    if (known && known.generation === generation && known.until > now && known.until <= now + KEPT_MS) return known.text
    const text = this.#make(host, entry, url)
    // What failed is not kept.
    text.catch(() => this.#kept.delete(key))
    if (this.#kept.size >= MAX_STORED) this.#kept.clear()
    this.#kept.set(key, { text, generation, until: now + KEPT_MS })
    return text
  }

  async #make(host: Host, entry: Entry | 'design', url: string): Promise<PageText> {
    const language = readersLanguage()
    const loaded = await this.#boot(this.#context, host)
    const boot = language ? { ...loaded, locale: language.locale, languageUrl: language.url } : loaded
    const html = await this.#source.html(entry, url)
    const company = host.kind === 'town' ? host.company : null
    const theme = makeTheme(company?.themeBackground, company?.themeText)
    const title = company?.name ?? 'Mainstreet'
    const head = `<title>${escapeHtml(title)}</title>
    <meta name="description" content="${escapeHtml(company ? say`Online services of ${company.name}: pay bills, file forms, reach your town.` : say`Online services of your municipality.`)}" />
    <link rel="icon" href="${iconOf(title, theme.tokens.deep)}" />
    <meta name="theme-color" content="${theme.tokens.deep}" />
    <meta property="csp-nonce" nonce="${this.#mark}" />
    <style nonce="${this.#mark}">${theme.cssText}${HELP_STYLE}</style>
    <noscript><style nonce="${this.#mark}">#help{visibility:visible}</style></noscript>`
    const parts = html
      .replace('<html lang="en">', `<html lang="${boot.locale}">`)
      .replace('<!--head-->', () => head)
      .replace('<div id="root"></div>', () => `<div id="root">${helpOf(boot, title)}</div>`)
      .replace('<!--boot-->', () => bootScript(boot))
      .split(this.#mark)
      .map((part) => Buffer.from(part))
    return { parts, origins: await this.#origins(this.#context, host) }
  }
}

/** Shown at once without JavaScript, and after a while where the script did not come. The script puts the screen in its place. */
const HELP_STYLE =
  '#help{max-width:40rem;margin:0 auto;padding:12vh 1.25rem 0;visibility:hidden;animation:help 0s 8s forwards!important}' +
  '#help>*{margin-bottom:1rem}@keyframes help{to{visibility:visible}}'

/** Whose page this is, how to reach them, and what to do where the screen does not come up. */
function helpOf({ footer, support }: BootData, title: string): string {
  const phone = footer?.phone_no || support.phone
  const place = footer && [
    footer.address1,
    footer.address2,
    footer.city,
    `${footer.state ?? ''} ${footer.zipcode ?? ''}`.trim(),
  ]
  const lines = [
    ...(place ? [escapeHtml(place.filter(Boolean).join(', '))] : []),
    ...(phone ? [`<a class="link" href="tel:${digitsOf(phone)}">${escapeHtml(formatPhone(phone))}</a>`] : []),
    say`This page works with JavaScript, which did not come up. Switch JavaScript on in your browser, or load the page again.`,
    ...(phone
      ? [say`If that does not help, call us: what you can do here can be done by phone or at our counter, too.`]
      : []),
  ]
  return `<div id="help"><h1>${escapeHtml(title)}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}</div>`
}

/** The town's initial on its deep colour, so that its tab is found among many. */
function iconOf(name: string, colour: string): string {
  const letter = escapeHtml(name.charAt(0).toUpperCase())
  const text = `<text x="16" y="23" text-anchor="middle" font-family="Georgia,serif" font-weight="700" font-size="20" fill="#fff">${letter}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** JSON that cannot end its script element, whatever a town wrote into its texts. */
const bootScript = (boot: BootData): string =>
  `<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}</script>`
