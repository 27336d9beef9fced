import { beforeAll, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { randomFrom } from '../../database/random.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { addQuestions, wordingsOf } from './demo.ts'
import { harborCityQuestions } from './demo-harbor-city.ts'
import { mapleGroveQuestions } from './demo-questions.ts'
import { richText } from '../../shared/rich-text.ts'
import { searchFaqs } from './server/search.ts'
import type { Paraphrase } from './demo-paraphrases.ts'
import { judged } from './judged-paraphrases.ts'
import { nightly } from '../../test/nightly.ts'

const database = await testDatabase()
const portal = await testPortal({ database })
const { context } = portal
const questionOf = new Map(mapleGroveQuestions.map(({ id, question }) => [id, question]))
let company: CompanyId
const TODAY = '2026-11-20'
const questionsWithWordings = mapleGroveQuestions.map((one) => ({ ...one, alternatives: wordingsOf(one.id) }))

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await context.inCompany(company, (tx) => addQuestions(tx, company, questionsWithWordings))
})

/**
 * Adds a typing mistake to each word of four or more letters, or only to one. A letter is swapped with the next,
 * dropped or doubled.
 */
function mistyped(text: string, seed: number, which: 'each' | 'one'): string {
  const random = randomFrom(seed)
  const wordCount = text.match(/[a-z]{4,}/gi)?.length ?? 0
  const only = which === 'one' && wordCount > 0 ? random.int(0, wordCount - 1) : null
  let count = 0
  return text.replaceAll(/[a-z]{4,}/gi, (word) => {
    count += 1
    if (only !== null && only !== count - 1) return word
    const at = random.int(1, word.length - 2)
    const kind = random.pick(['swap', 'drop', 'double'])
    if (kind === 'swap') return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
    return word.slice(0, at) + (kind === 'double' ? word.slice(at, at + 1).repeat(2) : '') + word.slice(at + 1)
  })
}

/** Returns the percentage of searches with the right answer among the first five. */
async function rateOf(phrases: readonly Paraphrase[]): Promise<number> {
  return context.inCompany(company, async (tx) => {
    const rows = await tx.selectFrom('faq').select(['id', 'question']).where('company_id', '=', company).execute()
    const questions = new Map(rows.map(({ id, question }) => [id, question]))
    let right = 0
    for (const { id, text } of phrases) {
      const { matches: best } = await searchFaqs(tx, company, { text, today: TODAY, max: 5 })
      const isRight = best.some((one) => questions.get(one.id) === questionOf.get(id))
      if (isRight) right += 1
    }
    return (right * 100) / phrases.length
  })
}
const withMistakes = (phrases: readonly Paraphrase[], which: 'each' | 'one') =>
  phrases.map(({ id, text }, n) => ({ id, text: mistyped(text, n + 1, which) }))

test('finds the right answer as often as the recorded rate', async () => {
  expect(await rateOf(judged)).toBeGreaterThan(94)
})

nightly('with one word of each mistyped it still does', async () => {
  expect(await rateOf(withMistakes(judged, 'one'))).toBeGreaterThan(92)
})

nightly('and with every longer word mistyped', async () => {
  expect(await rateOf(withMistakes(judged, 'each'))).toBeGreaterThan(89)
})

/** Returns the questions that a company's search finds. */
const questionsFor = (companyId: CompanyId, text: string) =>
  context.inCompany(companyId, async (tx) => {
    const reply = await searchFaqs(tx, companyId, { text, today: TODAY, max: 10 })
    const rows = await tx.selectFrom('faq').select(['id', 'question']).where('company_id', '=', companyId).execute()
    const questions = new Map(rows.map(({ id, question }) => [id, question]))
    return { ...reply, questions: reply.matches.map(({ id }) => questions.get(id)) }
  })

test('finds nothing for meaningless texts and answers the longest allowed text', async () => {
  for (const text of ['', '   ', '????', 'the', 'asdfgh', 'asdfgh qwerty', 'q'.repeat(200)])
    expect(await questionsFor(company, text), text).toEqual({ matches: [], questions: [], didYouMean: null })
  const long = 'when is my trash picked up and what of the couch '.repeat(5).slice(0, 200)
  expect((await questionsFor(company, long)).questions).toContain('What day is my trash picked up?')
})

test('leaves out questions that fit far less than the best one', async () => {
  const trash = (await questionsFor(company, 'trash')).questions
  expect(trash.slice(0, 2).toSorted()).toEqual([
    'My trash was not picked up. What do I do?',
    'What day is my trash picked up?',
  ])
  expect(trash).not.toContain('May I burn leaves or have a fire pit?')
  expect((await questionsFor(company, 'pothole')).questions).toContain('How do I report a pothole?')
})

test('finds guest payment by residents’ words, and stores no partial input', async () => {
  const callApi = (text: string, more: object = {}) =>
    portal.post('maplegrove.localhost', 'search/faqs', { text, ...more }).then(({ body }) => body)
  const { others } = await callApi('pay water')
  expect(others).toContainEqual({ kind: 'services', title: 'Pay a utility bill', path: '/guest-utility-payment' })
  const countMissing = async () => (await portal.owner.query('SELECT count(*)::int AS n FROM faq_missing')).rows[0].n
  const before = await countMissing()
  await callApi('xylophone qwzx', { isTyping: true })
  expect(await countMissing()).toBe(before)
})

test('corrects mistakes and leaves correct words unchanged', async () => {
  const corrected = async (text: string) => (await questionsFor(company, text)).didYouMean
  expect(await corrected('Garbge colection day?')).toBe('garbage collection day?')
  expect(await corrected('raccon in the atic')).toBe('raccoon in the attic')
  // The company does not use this word, and it is not a misspelling of another one.
  expect(await corrected('a bitter chicken')).toBe(null)
  expect(await corrected('garbage collection')).toBe(null)
})

test('returns the matched words as written, for highlighting', async () => {
  const { matches: best, questions } = await questionsFor(company, 'raccoons')
  const at = questions.indexOf('There is a raccoon or bat in my house. Who helps?')
  expect(best[at]?.lexemes).toContain('raccoon')
})

test('finds only the company’s own questions, in any order of searches', async () => {
  const other = await openTestCompany(portal, harborCity)
  await context.inCompany(other, (tx) => addQuestions(tx, other, harborCityQuestions))
  const otherQuestions = new Set(harborCityQuestions.map(({ question }) => question))
  const ours = new Set(mapleGroveQuestions.map(({ question }) => question))
  for (const text of ['when is trash collected', 'boat in the marina', 'chickens', 'pay a parking ticket']) {
    const [here, there] = [await questionsFor(company, text), await questionsFor(other, text)]
    expect(here.questions.filter((question) => !ours.has(question ?? ''))).toEqual([])
    expect(there.questions.filter((question) => !otherQuestions.has(question ?? ''))).toEqual([])
  }
  expect((await questionsFor(other, 'boat in the marina')).questions[0]).toBe('How do I get a slip in the marina?')
  expect((await questionsFor(company, 'chickens')).questions[0]).toBe('May I keep chickens?')
})

test('uses changed questions in the next search, even after an undo', async () => {
  const search = async (text: string) => (await questionsFor(company, text)).questions
  const PASSPORT = 'Can I apply for a passport at Town Hall?'
  const change = (statement: string) => portal.owner.query(statement, [company])
  expect(await search('frobnicate')).toEqual([])
  await change(
    `UPDATE faq SET other_wordings = 'how do I frobnicate' WHERE company_id = $1 AND question = '${PASSPORT}'`,
  )
  expect(await search('frobnicate')).toEqual([PASSPORT])
  await change(`INSERT INTO faq_synonym (company_id, terms) VALUES ($1, 'frobnicate glorbulate')`)
  expect(await search('glorbulate')).toEqual([PASSPORT])
  await change(`DELETE FROM faq_synonym WHERE company_id = $1 AND terms = 'frobnicate glorbulate'`)
  expect(await search('glorbulate')).toEqual([])
  const undone = context.inCompany(company, async (tx) => {
    await tx.updateTable('faq').set({ other_wordings: 'glorbulate' }).where('question', '=', PASSPORT).execute()
    const { matches: best } = await searchFaqs(tx, company, { text: 'glorbulate', today: TODAY, max: 10 })
    expect(best.length).toBe(1)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await search('glorbulate')).toEqual([])
  expect(await search('frobnicate')).toEqual([PASSPORT])
})

test('shows guests only published and current questions, by category', async () => {
  const callApi = async (path: string, body: object) => {
    const { status, body: response } = await portal.post('maplegrove.localhost', path, body)
    expect(status, JSON.stringify(response)).toBe(200)
    return response
  }
  const listQuestions = async () =>
    (await callApi('return/faqs', {})).categories.flatMap(({ faqs }: { faqs: { question: string }[] }) =>
      faqs.map(({ question }) => question),
    )
  const search = async () =>
    (await callApi('search/faqs', { text: 'backyard chickens' })).matches.map(
      ({ question }: { question: string }) => question,
    )
  const CHICKENS = 'May I keep chickens?'
  const change = (set: string) =>
    portal.owner.query(`UPDATE faq SET ${set} WHERE company_id = $1 AND question = $2`, [company, CHICKENS])
  expect(await listQuestions()).toEqual(mapleGroveQuestions.map(({ question }) => question))
  expect((await search())[0]).toBe(CHICKENS)
  for (const set of [
    `status = 'draft'`,
    `status = 'published', visible_from = '2026-11-21'`,
    `visible_from = NULL, visible_until = '2026-11-19'`,
  ]) {
    await change(set)
    expect(await listQuestions()).not.toContain(CHICKENS)
    expect(await search()).not.toContain(CHICKENS)
  }
  await change(`visible_from = '2026-11-20', visible_until = '2026-11-20'`)
  expect(await search()).toContain(CHICKENS)
})

test('accepts only answers that the schema allows', () => {
  const link = (href: string) => ({
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }] },
    ],
  })
  for (const href of ['https://example.org/a', '/pay-bills', 'tel:5550142'])
    expect(richText.safeParse(link(href)).success).toBe(true)
  for (const href of ['javascript:alert(1)', '//example.org', 'http://example.org', '/a" onclick="'])
    expect(richText.safeParse(link(href)).success).toBe(false)
  expect(richText.safeParse({ type: 'doc', content: [{ type: 'image', attrs: { src: '/a.png' } }] }).success).toBe(
    false,
  )
})
