import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { findSentences } from '../web/build/find-sentences.ts'
import { testFolder, testPortal } from './harness.ts'
import { PSEUDO, sources, writePseudo } from './pseudo.ts'
import { openTestCompany } from './company.ts'

describe('sentences for people', () => {
  test('are in the catalog or can be collected', () => {
    const violations = sources().flatMap(({ file, mistakes }) =>
      mistakes.map(({ line, text, why }) => `${file}:${line} ${text} ${why}`),
    )
    expect(violations).toEqual([])
  })

  test('name no file or command of the project', () => {
    const catalog = readFileSync(new URL('../web/locales/en/messages.po', import.meta.url), 'utf8')
    const messages = catalog.split('\n').filter((line) => line.startsWith('msgid '))
    expect(messages.length).toBeGreaterThan(1000)
    const named = /\b(?:docs|features|server|shared|database|test|e2e)\/|\w\.(?:tsx?|mjs|md|sql)\b|\bnpm /
    expect(messages.filter((message) => named.test(message))).toEqual([])
  })

  const extract = (code: string, file = 'features/bins/server/empty.ts') => {
    const { sentences, mistakes } = findSentences(file, code)
    return { messages: sentences.map(({ message }) => message), mistakes: mistakes.length }
  }

  test.each([
    ["export const label = 'Bins'", ['Bins']],
    ["const bins = () => { throw conflict('full', 'The bin is full.') }", ['The bin is full.']],
    ["const name = z.string().check(z.minLength(1, 'Enter a name.'))", ['Enter a name.']],
    [
      "const done = (n: number) => say`${plural(n, '# bin is', '# bins are')} empty.`",
      ['{0, plural, one {# bin is} other {# bins are}} empty.'],
    ],
    ['const emptied = (street: string) => say`${street} is emptied.`', ['{0} is emptied.']],
    ["export const list = { nouns: ['bin', 'bins'] }", ['bin', 'bins']],
    ["const answer = () => ({ message: 'The bin is empty.' })", ['The bin is empty.']],
  ])('are found: %s', (code, messages) => {
    expect(extract(code)).toEqual({ messages, mistakes: 0 })
  })

  test.each([
    'const told = (street: string) => `The bins of ${street} are emptied.`',
    "const told = () => 'The bins are emptied.'",
    "const told = (isFull: boolean) => ({ text: isFull ? 'it is full' : '' })",
    'const name = (most: number) => z.string().check(z.maxLength(most, say`Use at most ${most}.`))',
    'const at = say`The bins of ${town}.`',
    'const done = (bin: string) => `${bin} saved.`',
  ])('are reported if no one could translate them: %s', (code) => {
    expect(extract(code).mistakes).toBe(1)
  })

  test('are reported in a screen: an attribute, a text', () => {
    const screen = 'export const Bins = () => <Tile title="All bins">Empty them</Tile>'
    expect(extract(screen, 'features/bins/web/Bins.tsx')).toEqual({ messages: [], mistakes: 2 })
    expect(
      extract('export const Bins = () => <Tile title={t`All bins`}><Trans>Empty them</Trans></Tile>', 'web/Bins.tsx')
        .mistakes,
    ).toBe(0)
  })

  test.each([
    "const broken = () => { throw new Error('There is no bin.') }",
    "log.info({ bin }, 'a bin was emptied')",
    "const isFull = (state: string) => state === 'Full'",
    'const rows = sql`SELECT ${n} FROM bin`',
  ])('do not include %s', (code) => {
    expect(extract(code)).toEqual({ messages: [], mistakes: 0 })
  })
})

describe('another language', async () => {
  const folder = testFolder()
  await writePseudo(folder)
  const portal = await testPortal({ env: { LANGUAGES_DIR: folder } })
  const HOST = 'maplegrove.localhost'
  const other = { headers: { 'accept-language': `${PSEUDO},en;q=0.5` } }
  beforeAll(() => openTestCompany(portal, mapleGrove))
  const emailTo = async (address: string) =>
    (await portal.emails()).findLast((emailMessage) => emailMessage.to_address === address)

  test('shows the reason of a refused call, without changing English', async () => {
    const invalidLogin = { email: 'nobody@example.org', password: 'Wrong-Word#1' }
    const english = await portal.post(HOST, 'login', invalidLogin)
    const { status, body } = await portal.post(HOST, 'login', invalidLogin, other)
    expect(status).toBe(english.status)
    expect([body.message, body.msg]).toEqual([`⟦${english.body.message}⟧`, `⟦${english.body.message}⟧`])
    const nothing = await portal.post(HOST, 'nothing', {}, other)
    expect(nothing.body.message).toBe('⟦No page exists at this address.⟧')
  })

  test('shows each field’s form error with its values', async () => {
    const form = { first_name: '', last_name: 'x'.repeat(200), email: 'no', password: 'short', phone: '' }
    const english = (await portal.post(HOST, 'sign-up', form)).body.details.fields
    const fieldMessages = (await portal.post(HOST, 'sign-up', form, other)).body.details.fields
    expect(Object.keys(english).length).toBeGreaterThan(2)
    const own = Object.entries(english as Record<string, string>).filter(
      ([, message]) => !message.startsWith('Invalid'),
    )
    for (const [field, message] of own) expect(fieldMessages[field]).toBe(`⟦${message}⟧`)
  })

  test('refuses unreadable input in that language, also after an async gap', async () => {
    const response = await portal.app.inject({
      method: 'POST',
      url: '/api/v2/login',
      payload: '{',
      headers: { host: HOST, 'content-type': 'application/json', ...other.headers },
    })
    expect(response.json().message).toBe('⟦The request could not be read.⟧')
  })

  test('translates the headers and states of an exported list', async () => {
    const token = await portal.signIn(HOST, 'admin@maplegrove.example')
    const options = { ...other, token }
    const { url } = (await portal.post(HOST, 'muni/export/municipality/staff', {}, options)).body
    const lines = (await portal.get(HOST, url, other)).body.split('\n')
    expect(lines[0]).toContain('⟦Department⟧')
    expect(lines[1]).toContain('⟦Active⟧')
  })

  test('translates an email to the caller', async () => {
    const email = 'resident@maplegrove.example'
    const { body } = await portal.post(HOST, 'reset/profile/password', { email }, other)
    expect(body.message).toMatch(/^⟦If an account exists here for resident@maplegrove\.example/)
    await portal.runJobs()
    const emailMessage = await emailTo(email)
    expect(emailMessage?.subject).toBe('⟦Set a new password for Maple Grove⟧')
    expect(emailMessage?.text_body).toContain('⟦You are receiving this email because')
    expect(emailMessage).toMatchObject({ html_body: expect.stringContaining(`<html lang="${PSEUDO}">`) })
  })

  test('translates the page, its help and unsubscribe page, cached separately', async () => {
    const read = async (path: string, options = {}) => (await portal.get(HOST, path, options)).body as string
    for (const [options, lang] of [
      [other, PSEUDO],
      [{}, 'en'],
      [other, PSEUDO],
    ] as const) {
      const page = await read('/', options)
      expect(page).toContain(`<html lang="${lang}">`)
      expect(page.includes('content="⟦Online services from Maple Grove')).toBe(lang === PSEUDO)
      expect(page.includes('"languageUrl":"/languages/en-XA-')).toBe(lang === PSEUDO)
    }
    expect(await read('/notices/stop?of=x', other)).toContain('<h1>⟦This link does not work⟧</h1>')
  })

  test.each([
    ['en-US,en;q=0.9,en-XA;q=0.5', 'en'],
    ['fr, en-xa;q=0.3, *;q=0.1', PSEUDO],
    ['en-XA;q=0', 'en'],
    ['xx;q=nonsense,,;', 'en'],
  ])('serves %s to a browser that accepts %s', async (acceptLanguage, lang) => {
    const page = await portal.get(HOST, '/', { headers: { 'accept-language': acceptLanguage } })
    expect(page.body).toContain(`<html lang="${lang}">`)
  })

  test('serves the catalog under an address that changes with it', async () => {
    const page = (await portal.get(HOST, '/', other)).body as string
    const url = /"languageUrl":"([^"]+)"/.exec(page)?.[1] ?? ''
    const response = await portal.app.inject({ url, headers: { host: HOST } })
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'br'])
    expect(response.headers['cache-control']).toContain('immutable')
  })
})
