import { expect, test } from 'vitest'
import { chargedItems } from '../../shared/fields/answers.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { definitionOf, demoTypes } from './demo-types.ts'
import { mistakesIn } from '../../shared/fields/mistakes.ts'
import {
  AMOUNT,
  amountOf,
  answersText,
  detailsOf,
  keyOf,
  mistakesOf,
  PAYER,
  slugOf,
  type TypeForm,
  typeForm,
  wholeForm,
} from './rules.ts'

const form: TypeForm = {
  title: 'Dog license',
  category: 'licenses',
  description: '',
  glAccount: '321.9',
  seenBy: 'everyone',
  amountKind: 'fixed',
  amountCents: 850,
  minCents: null,
  maxCents: null,
  inParts: false,
  dueDate: '',
  opensOn: '',
  closesOn: '',
  numberLabel: '',
  itemLabel: '',
  proof: 'amount',
}

const stickers = oneStep(
  { ...blankField('number', 'stickers'), label: 'Stickers' },
  { ...blankField('email', 'mail'), label: 'Email' },
  {
    ...blankField('computed', 'price'),
    label: 'Price',
    charged: true,
    terms: { '+': [{ times: [{ var: 'stickers' }, 300] }] },
  },
  { ...blankField('payment', 'postage'), label: 'Postage', fixed: 120 },
)

test('computes the amount as fixed, open, or the sum of fields', () => {
  const answers = { stickers: 4, price: 1200, postage: 120, [AMOUNT]: 5000 }
  expect(amountOf(form, stickers, answers)).toBe(850)
  expect(amountOf({ ...form, amountKind: 'open' }, stickers, answers)).toBe(5000)
  expect(amountOf({ ...form, amountKind: 'computed' }, stickers, answers)).toBe(1320)
  expect(chargedItems('Stickers', stickers, answers)).toEqual([
    { text: 'Stickers: Price', note: '', amountCents: 1200 },
    { text: 'Stickers: Postage', note: '', amountCents: 120 },
  ])
})

test('shows distinguishing answers without email on receipts, and searches all answers', () => {
  const answers = { stickers: 4, mail: 'ann@example.org', price: 1200, postage: 120 }
  expect(detailsOf(stickers, answers)).toEqual([{ name: 'Stickers', value: '4' }])
  expect(answersText(stickers, answers)).toBe('Stickers: 4; Email: ann@example.org; Price: $12.00; Postage: $1.20')
})

test('asks for the name and an open amount before the staff’s fields', () => {
  const names = (definition: ReturnType<typeof wholeForm>) =>
    definition.steps.flatMap(({ fields }) => fields).map(({ name }) => name)
  expect(names(wholeForm(form, { steps: [] }))).toEqual([PAYER])
  expect(names(wholeForm({ ...form, amountKind: 'open' }, stickers)).slice(0, 3)).toEqual([PAYER, AMOUNT, 'stickers'])
})

test.each([
  [{ amountCents: null }, 'amountCents'],
  [{ amountKind: 'open', minCents: 500, maxCents: 100 }, 'maxCents'],
  [{ amountKind: 'listed' }, 'itemLabel'],
  [{ amountKind: 'listed', itemLabel: 'Parcel', numberLabel: 'Tag' }, 'numberLabel'],
  [{ opensOn: '2026-12-01', closesOn: '2026-11-01' }, 'closesOn'],
] as const)('reports an incompatible setting at its field: %o', (invalid, field) => {
  const mistaken = { ...form, ...invalid }
  expect(Object.keys(mistakesOf(mistaken))).toEqual([field])
  expect(typeForm.safeParse(mistaken).error?.issues[0]?.path).toEqual([field])
  expect(typeForm.safeParse(form).success).toBe(true)
})

test('builds addresses from titles and compares numbers by letters and digits', () => {
  expect(slugOf('Dog license (2027)')).toBe('dog-license-2027')
  expect(slugOf('!!!')).toBe('payment')
  expect(keyOf(' 12-034 / A ')).toBe(keyOf('12034a'))
})

test('allows every demo type to be published unchanged', () => {
  for (const types of Object.values(demoTypes))
    for (const {
      fields,
      form: { title },
    } of types)
      if (fields.length > 0) expect([title, mistakesIn(definitionOf(fields))]).toEqual([title, []])
})
