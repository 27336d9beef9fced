import { expect, it } from 'vitest'
import { blankField, blankStep } from './blank.ts'
import type { Field, Term } from './definition.ts'
import { pricesIn, priceRange, rangeText } from './prices.ts'

const choice: Field = {
  ...blankField('choice', 'neutered'),
  label: 'Is the dog neutered?',
  required: true,
  options: [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ],
}
const number: Field = { ...blankField('number', 'stickers'), label: 'Stickers', required: true, min: 1, max: null }
const formOf = (terms: Term[], fields: Field[] = [choice, number]) => ({
  steps: [
    {
      ...blankStep('questions'),
      fields: [...fields, { ...blankField('computed', 'fee'), label: 'Fee', charged: true, terms: { '+': terms } }],
    },
  ],
})
const when = (value: string, cents: number): Term => ({ if: [{ '==': [{ var: 'neutered' }, value] }, { cents }, 0] })

it.each<[string, Term[], string]>([
  ['by an answer', [when('yes', 850), when('no', 1350)], '$8.50 to $13.50'],
  ['by one of the answers', [when('no', 1350)], 'Up to $13.50'],
  ['for each', [{ times: [{ var: 'stickers' }, 300] }], 'From $3.00'],
  ['fixed and by an answer', [{ cents: 1000 }, when('yes', 500), when('no', 500)], '$15.00'],
  ['fixed and for each', [{ cents: 4500 }, { times: [{ var: 'stickers' }, 3500] }], 'From $80.00'],
])('shows the price range %s', (_how, terms, text) => {
  expect(rangeText(priceRange(formOf(terms)))).toBe(text)
})

it('shows no range if the payer types the amount', () => {
  const open = { ...blankField('payment', 'gift'), label: 'Gift' }
  expect(rangeText(priceRange({ steps: [{ ...blankStep('questions'), fields: [open] }] }))).toBe('')
})

it('lists the prices that a form names', () => {
  expect(pricesIn(formOf([when('yes', 850), when('no', 1350), { times: [{ var: 'stickers' }, 300] }]))).toEqual([
    { label: 'Is the dog neutered? Yes', cents: 850, each: false },
    { label: 'Is the dog neutered? No', cents: 1350, each: false },
    { label: 'Stickers', cents: 300, each: true },
  ])
})
