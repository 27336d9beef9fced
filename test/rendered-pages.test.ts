import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Messages } from '@lingui/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFaqs } from '../features/faqs/contract.ts'
import { requestChoices } from '../features/service-requests/contract.ts'
import type { PageRenderer } from '../server/page-texts.ts'
import { screens } from '../shared/all-screens.ts'
import { type BootData, emptyBoot } from '../shared/boot.ts'
import { PSEUDO, writePseudo } from './pseudo.ts'

/** The bundle of `npm run build`. It loads without a page, or else this import fails. */
const bundle = new URL('../dist/server/citizen-server.js', import.meta.url).href
const { renderPage, kindOf, callsOf } = (await import(bundle)) as PageRenderer

const bootOf = (name: string, locale: string): BootData => ({
  ...emptyBoot,
  company: {
    ...{ id: 1, name, subdomain: name.toLowerCase(), isOnline: 1, logoUrl: `/logos/${name}.png`, fiscalMonth: 7 },
    ...{ timeZone: 'America/New_York', city: name, state: 'PA', tagline: '', offlineMessage: '', guestFact: 'none' },
  },
  topServices: [
    {
      id: 1,
      name: `${name} Water`,
      description: name,
      icon: '',
      url: '/utility-portal',
      is_active: 1,
      button_text: '',
    },
  ],
  components: [{ url: '/utility-portal', is_active: 1 }],
  locale,
})

/** Renders a page. Its FAQs and topics name the municipality. */
const render = (boot: BootData, path: string, messages: Messages = {}) => {
  const categories = [{ id: 1, name: `Questions of ${boot.company?.name}`, faqs: [] }]
  const topics = [{ id: 1, name: `Problems of ${boot.company?.name}`, hint: '', needsLocation: true, days: 1 }]
  const choices = { signInFirst: false, hasMap: true, categories: topics, prefill: { name: '', email: '', phone: '' } }
  const responses = [
    { path: listFaqs.path, body: {}, response: { categories } },
    { path: requestChoices.path, body: {}, response: choices },
  ]
  return renderPage({ ...boot, responses }, { path, query: '' }, messages)
}

const open = screens.filter(({ entry, meta, path }) => entry === 'citizen' && !meta.requiresAuth && !path.includes('{'))
const folder = mkdtempSync(join(tmpdir(), 'mainstreet-rendered-'))
afterAll(() => rmSync(folder, { recursive: true }))

let pseudo: Messages
let rendered: string[]
beforeAll(async () => {
  await writePseudo(folder)
  pseudo = JSON.parse(readFileSync(join(folder, `${PSEUDO}.json`), 'utf8')) as Messages
  const pages = await Promise.all(open.map(({ path }) => render(bootOf('Alder', 'en'), path)))
  rendered = open.flatMap(({ path }, n) => (pages[n] ? [path] : []))
})

describe('a page from the server', () => {
  test('needs no page while its code loads', async () => {
    const chunks = readdirSync(fileURLToPath(new URL('assets/', bundle)))
    expect(chunks.length).toBeGreaterThan(50)
    const failures = await Promise.all(
      chunks.map((name) => import(new URL(`assets/${name}`, bundle).href).then(() => '', String)),
    )
    // Leaflet needs a window. It loads only in a browser.
    expect(failures.filter((text) => text !== '' && !text.includes('window is not defined'))).toEqual([])
  })

  test('exists for each page that does not depend on the person', () => {
    expect(rendered).toEqual(
      expect.arrayContaining([
        '/',
        '/home',
        '/offline',
        '/guest-utility-payment',
        '/parking-tickets',
        '/utility-index',
        '/frequently-asked-questions',
        '/communication/new',
      ]),
    )
  })

  test('is not rendered for a screen that needs a session', async () => {
    expect(await render(bootOf('Alder', 'en'), '/forms-documents')).toBeNull()
    expect(await render({ ...bootOf('Alder', 'en'), company: null }, '/')).toBeNull()
  })

  test('depends on the token, if it is behind a secret link', async () => {
    const secret = [
      ...['/communication/request/', '/communication/followed/', '/support/', '/parking-ticket-contest/'],
      ...['/relocate/request/', '/relocate/owner/', '/forms-documents/submission/', '/forms-documents/sign/'],
      '/resource-rentals/agreement/',
    ]
    for (const path of secret) {
      expect(kindOf(`${path}abc`), path).toBe('token')
      const calls = await callsOf({ path: `${path}abc`, query: '' })
      expect(calls.length, path).toBeGreaterThan(0)
      for (const [, body] of calls) expect(body, path).toEqual({ token: 'abc' })
    }
  })

  test('has no style attribute, which the policy of the page would drop', async () => {
    for (const path of rendered)
      expect((await render(bootOf('Alder', 'en'), path))?.html, path).not.toMatch(/\sstyle="/)
  })

  test(
    'has no word of another municipality or language, if 1,000 pages are rendered at the same time',
    { timeout: 60_000 },
    async () => {
      const variants = [
        { name: 'Alder', other: 'Birch', locale: 'en', messages: {} },
        { name: 'Birch', other: 'Alder', locale: 'en', messages: {} },
        { name: 'Alder', other: 'Birch', locale: PSEUDO, messages: pseudo },
        { name: 'Birch', other: 'Alder', locale: PSEUDO, messages: pseudo },
      ] as const
      const results = await Promise.all(
        Array.from({ length: 1000 }, async (_, n) => {
          const { name, other, locale, messages } = variants[n % variants.length] ?? variants[0]
          const path = rendered[n % rendered.length] ?? '/'
          const page = await render(bootOf(name, locale), path, messages)
          const text = (page?.html ?? '') + (page?.title ?? '')
          const isPseudo = text.includes('⟦')
          return text.includes(name) && !text.includes(other) && isPseudo === (locale === PSEUDO)
            ? []
            : [`${name} ${path}`]
        }),
      )
      expect(results.flat()).toEqual([])
    },
  )
})
