import { sql } from 'kysely'
import { addDays } from '../../shared/dates.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { paragraphsOf, type RichText, textOf } from '../../shared/rich-text.ts'

interface ExtraFaq {
  category: string
  question: string
  answer: RichText
  isDraft?: true
  /** First and last day, as numbers of days from today. */
  from?: number
  until?: number
}

type List = Extract<RichText['content'][number], { type: 'bulletList' | 'orderedList' }>
type Item = List['content'][number]

const textNode = (text: string) => ({ type: 'text', text }) as const
const item = (text: string): Item => ({ type: 'listItem', content: [{ type: 'paragraph', content: [textNode(text)] }] })

/** Builds an answer with a heading, a list, a bold word and a link to a service. */
const illustrated = (first: string, heading: string, lines: readonly string[], link: [string, string]): RichText => ({
  type: 'doc',
  content: [
    { type: 'paragraph', content: [textNode(first)] },
    { type: 'heading', attrs: { level: 3 }, content: [textNode(heading)] },
    { type: 'bulletList', content: lines.map(item) },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'The quickest way: ', marks: [{ type: 'bold' }] },
        { type: 'text', text: link[0], marks: [{ type: 'link', attrs: { href: link[1] } }] },
        textNode('.'),
      ],
    },
  ],
})

const besides: Readonly<Record<string, readonly ExtraFaq[]>> = {
  maplegrove: [
    {
      category: 'Bills and payments',
      question: 'What do I need at hand when I call about a bill?',
      answer: illustrated(
        'We find your account in a minute when you have these at hand.',
        'Have ready',
        [
          'The account number, at the top right of the bill',
          'The amount of the last bill',
          'A number to call you back',
        ],
        ['Look at your bill online', '/utility-portal'],
      ),
    },
    {
      category: 'Bills and payments',
      question: 'Will the water rate change next year?',
      answer: paragraphsOf('The council decides in December. We publish the decision here the day after.'),
      isDraft: true,
    },
    {
      category: 'Trash and recycling',
      question: 'Where can I leave my Christmas tree?',
      answer: paragraphsOf('At the yard on Mill Road, or at the curb on your usual day, without tinsel and lights.'),
      from: 20,
      until: 60,
    },
    {
      category: 'Trash and recycling',
      question: 'When is the fall leaf pickup?',
      answer: paragraphsOf('Rake the leaves to the curb by Sunday night; the truck visits each street twice.'),
      from: -70,
      until: -8,
    },
  ],
  harborcity: [
    {
      category: 'At home',
      question: 'What do I do before a storm?',
      answer: illustrated(
        'We send an alert a day ahead. This helps most:',
        'Before it comes',
        ['Fetch sandbags from the yard on Bay Road', 'Move your car above Wharf Street', 'Charge your phone'],
        ['Tell us what the storm broke', '/communication/new'],
      ),
    },
    {
      category: 'On the water',
      question: 'Are there slips for visitors this season?',
      answer: paragraphsOf('We will know in March how many.'),
      isDraft: true,
    },
    {
      category: 'On the water',
      question: 'When does the winter rate of the marina begin?',
      answer: paragraphsOf('From January on, until the end of March, at half the price.'),
      from: 35,
    },
    {
      category: 'At home',
      question: 'When are the hydrants flushed?',
      answer: paragraphsOf('In the first two weeks of October, at night. Let the water run until it is clear.'),
      from: -90,
      until: -40,
    },
  ],
}

/** Searches without an answer: words, count, and days since the first and last search. */
const searches: Readonly<
  Record<string, readonly (readonly [query: string, times: number, first: number, last: number])[]>
> = {
  maplegrove: [
    ['wifi in the park', 14, 211, 3],
    ['chickens', 11, 320, 6],
    ['fireworks permit', 9, 160, 141],
    ['drone rules', 6, 240, 19],
    ['charge my electric car downtown', 6, 120, 2],
    ['bees on my property', 4, 200, 47],
    ['notary', 4, 90, 11],
    ['tiny house', 3, 75, 30],
    ['geese at the pond', 2, 33, 33],
    ['who owns the alley behind …', 1, 5, 5],
  ],
  harborcity: [
    ['kayak storage', 13, 260, 4],
    ['is the water too cold to swim', 7, 190, 88],
    ['film permit', 5, 300, 21],
    ['seagulls on my roof', 4, 140, 9],
    ['paddle board license', 3, 110, 65],
    ['tall ships parade', 2, 150, 148],
  ],
}

/** Adds a year of data: drafts, planned and ended answers, feedback from residents, and searches without an answer. */
export async function addYear(
  tx: Tx,
  company: CompanyId,
  { subdomain, today, now }: { subdomain: string; today: string; now: Date },
): Promise<void> {
  const rows = (besides[subdomain] ?? []).map(({ category, question, answer, isDraft, from, until }) => ({
    ...{ category, question, answer, text: textOf(answer), status: isDraft ? 'draft' : 'published' },
    visible_from: from === undefined ? null : addDays(today, from),
    visible_until: until === undefined ? null : addDays(today, until),
  }))
  await sql`
    INSERT INTO faq (company_id, category_id, status, question, answer, answer_text, position, visible_from, visible_until, edited_at)
    SELECT ${company}, c.id, r.status, r.question, r.answer, r.text,
      row_number() OVER () + (SELECT max(position) FROM faq WHERE company_id = ${company}), r.visible_from, r.visible_until, ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r (category text, question text, answer jsonb, text text, status text, visible_from date, visible_until date)
      JOIN faq_category c ON c.company_id = ${company} AND c.name = r.category`.execute(tx)
  await sql`
    INSERT INTO faq_helped (company_id, faq_id, day, yes, no)
    SELECT f.company_id, f.id, ${today}::date - n, 1 + (f.id + n) % 3, CASE WHEN (f.id + n) % 7 < 1 + f.id % 4 THEN 1 ELSE 0 END
    FROM faq f, generate_series(1, 360) n
    WHERE f.company_id = ${company} AND f.status = 'published' AND (f.id * 7919 + n * 104729) % 61 < 1 + f.id % 5`.execute(
    tx,
  )
  const companySearches = searches[subdomain] ?? []
  if (companySearches.length === 0) return
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
  await tx
    .insertInto('faq_missing')
    .values(
      companySearches.map(([text, times, first, last]) => ({
        ...{ company_id: company, query: text, query_key: text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim(), times },
        ...{ first_at: ago(first), last_at: ago(last) },
      })),
    )
    .execute()
}
