import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { randomFrom } from '../../database/random.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'
import { openTestTown } from '../../test/town.ts'
import { addQuestions, askedAs } from './demo.ts'
import { mapleGroveQuestions } from './demo-questions.ts'
import { richText } from './rules.ts'
import { searchFaqs } from './server/search.ts'
import type { Paraphrase } from './demo-paraphrases.ts'
import { judged } from './judged-paraphrases.ts'

const database = await testDatabase()
const portal = await testPortal({ database })
const { house } = portal
const questionOf = new Map(mapleGroveQuestions.map(({ id, question }) => [id, question]))
let company: CompanyId
const questionsAsked = mapleGroveQuestions.map((one) => ({ ...one, askedAs: askedAs(one.id) }))

beforeAll(async () => {
  company = await openTestTown(portal, mapleGrove)
  await house.inCompany(company, (tx) => addQuestions(tx, company, questionsAsked))
})

/** In each word of four or more letters one is swapped with the next, left out or doubled. */
function mistyped(text: string, seed: number): string {
  const random = randomFrom(seed)
  return text.replaceAll(/[a-z]{4,}/gi, (word) => {
    const at = random.int(1, word.length - 2)
    const kind = random.pick(['swap', 'drop', 'double'])
    if (kind === 'swap') return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
    return word.slice(0, at) + (kind === 'double' ? word.slice(at, at + 1).repeat(2) : '') + word.slice(at + 1)
  })
}

/** How many of a hundred have the right answer among the first five. */
async function found(asked: readonly Paraphrase[]): Promise<number> {
  return house.inCompany(company, async (tx) => {
    const rows = await tx.selectFrom('faq').select(['id', 'question']).where('company_id', '=', company).execute()
    const questions = new Map(rows.map(({ id, question }) => [id, question]))
    let right = 0
    for (const { id, text } of asked) {
      const best = await searchFaqs(tx, company, { text, today: '2026-11-20', most: 5 })
      const isRight = best.some((one) => questions.get(one.id) === questionOf.get(id))
      if (isRight) right += 1
    }
    return (right * 100) / asked.length
  })
}
const withMistakes = (asked: readonly Paraphrase[]) =>
  asked.map(({ id, text }, n) => ({ id, text: mistyped(text, n + 1) }))

test('what people type leads to the right answer, as often as was reached', async () => {
  expect(await found(judged)).toBeGreaterThan(83.5)
})

nightly('what people mistype leads to the right answer, as often as was reached', async () => {
  expect(await found(withMistakes(judged))).toBeGreaterThan(75)
})

test('a guest sees what is published and of today, by category, and finds nothing else', async () => {
  const ask = async (path: string, body: object) => {
    const { status, body: told } = await portal.post('maplegrove.localhost', path, body)
    expect(status, JSON.stringify(told)).toBe(200)
    return told
  }
  const shown = async () =>
    (await ask('return/faqs', {})).categories.flatMap(({ faqs }: { faqs: { question: string }[] }) =>
      faqs.map(({ question }) => question),
    )
  const search = async () =>
    (await ask('search/faqs', { text: 'backyard chickens' })).found.map(
      ({ question }: { question: string }) => question,
    )
  const CHICKENS = 'May I keep chickens?'
  const change = (set: string) =>
    portal.owner.query(`UPDATE faq SET ${set} WHERE company_id = $1 AND question = $2`, [company, CHICKENS])
  expect(await shown()).toEqual(mapleGroveQuestions.map(({ question }) => question))
  expect((await search())[0]).toBe(CHICKENS)
  for (const set of [
    `status = 'draft'`,
    `status = 'published', shown_from = '2026-11-21'`,
    `shown_from = NULL, shown_until = '2026-11-19'`,
  ]) {
    await change(set)
    expect(await shown()).not.toContain(CHICKENS)
    expect(await search()).not.toContain(CHICKENS)
  }
  await change(`shown_from = '2026-11-20', shown_until = '2026-11-20'`)
  expect(await search()).toContain(CHICKENS)
})

test('an answer holds what the schema allows and nothing else', () => {
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
