import { expect, it } from 'vitest'
import { blankColumn, blankField, oneStep } from './blank.ts'
import { carryOver } from './carry.ts'
import type { Field } from './definition.ts'

const TODAY = '2026-11-20'
const text = { ...blankField('text', 'text'), label: 'Nickname' }
const size = {
  ...blankField('choice', 'size'),
  label: 'Size',
  options: ['Small', 'Large'].map((label) => ({ value: label.toLowerCase(), label })),
}
const rows = {
  ...blankField('table', 'rows'),
  label: 'Pets',
  columns: [
    { ...blankColumn('text', 'name'), label: 'Name' },
    { ...blankColumn('text', 'age'), label: 'Age' },
  ],
}
const carry = (from: Field[], to: Field[], raw: object) =>
  carryOver(oneStep(...from), oneStep(...to), raw as never, TODAY)

it('carries unchanged fields over without a message', () => {
  const raw = { text: 'Rex', size: 'large', rows: [{ name: 'Rex', age: '3' }] }
  expect(carry([text, size, rows], [rows, size, text], raw)).toEqual({ raw, changes: [] })
})

it('reports added, removed and renamed fields with their old answers', () => {
  const added = { ...blankField('email', 'mail'), label: 'Email' }
  const now = { ...text, label: 'Name', required: true }
  expect(carry([text, size], [now, added], { text: 'Rex', size: 'large' })).toEqual({
    raw: { text: 'Rex' },
    changes: [
      '“Size” was removed. Your answer was: Large.',
      '“Nickname” is now called “Name”.',
      '“Name” is now required.',
      '“Email” is a new question.',
    ],
  })
  expect(carry([text, size], [text], { text: 'Rex' }).changes).toEqual([])
})

it('drops an answer that is no longer an option and names it', () => {
  const smaller = { ...size, options: size.options.slice(0, 1) }
  expect(carry([size], [smaller], { size: 'large' })).toEqual({
    raw: {},
    changes: ['The answer that you chose for “Size” is no longer available. Your answer was: Large.'],
  })
  const many = { ...blankField('choices', 'size'), label: 'Size', options: size.options }
  expect(carry([many], [{ ...many, options: smaller.options }], { size: ['small', 'large'] })).toEqual({
    raw: { size: ['small'] },
    changes: ['Some of your answers to “Size” are no longer available. Your answer was: Small, Large.'],
  })
})

it('converts an answer to a new type if possible, else reports it', () => {
  const number = { ...blankField('number', 'text'), label: 'Age' }
  expect(carry([text], [number], { text: '12' })).toMatchObject({ raw: { text: '12' } })
  expect(carry([text], [number], { text: 'twelve' })).toEqual({
    raw: {},
    changes: [
      '“Nickname” is now called “Age”.',
      'The answer format of “Age” changed, so we could not keep your answer. Your answer was: twelve.',
    ],
  })
  expect(carry([size], [{ ...text, name: 'size' }], { size: 'large' }).raw).toEqual({ size: 'Large' })
})

it('carries over a text that became too long and reports it', () => {
  expect(carry([text], [{ ...text, maxLength: 2 }], { text: 'Rex' })).toEqual({
    raw: { text: 'Rex' },
    changes: ['“Nickname” has new limits. Use no more than 2 characters. You entered 3.'],
  })
})

it('carries rows column by column', () => {
  const [name] = rows.columns
  const born = { ...blankColumn('date', 'born'), label: 'Born' }
  expect(
    carry([rows], [{ ...rows, columns: [name, born] as never }], { rows: [{ name: 'Rex', age: '3' }, {}] }),
  ).toEqual({
    raw: { rows: [{ name: 'Rex' }, {}] },
    changes: ['The column “Age” in “Pets” changed. You entered: 3.', '“Pets” has a new column, “Born”.'],
  })
})
