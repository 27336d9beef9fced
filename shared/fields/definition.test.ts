import { describe, expect, it } from 'vitest'
import { blankColumn, blankField, blankStep, oneStep, whenAll } from './blank.ts'
import { type Definition, type Field, fieldTypes, sketch } from './definition.ts'
import { definition, mistakesIn, nameFrom } from './mistakes.ts'

const pet = { ...blankField('choice', 'pet'), label: 'Pet' }
const many = { ...blankField('choices', 'many'), label: 'Many' }
const text = { ...blankField('text', 'text'), label: 'Text' }
const count = { ...blankField('number', 'count'), label: 'Count' }
const day = { ...blankField('date', 'day'), label: 'Day' }
const fee = { ...blankField('money', 'fee'), label: 'Fee' }
const rows = { ...blankField('table', 'rows'), label: 'Rows', columns: [{ ...blankColumn('text', 'a'), label: 'A' }] }
const sum = { ...blankField('computed', 'sum'), label: 'Sum', terms: { '+': [{ cents: 5 }] } }
const when = (comparison: object) => ({ showWhen: { and: [comparison] } }) as Pick<Field, 'showWhen'>
const messagesOf = (value: Definition) => mistakesIn(value).map(({ path, text: text_ }) => `${path.join('.')} ${text_}`)

it('accepts a stored definition with every type', () => {
  const all = (Object.keys(fieldTypes) as (keyof typeof fieldTypes)[]).map((type) => ({
    ...blankField(type, type),
    label: type,
    ...(type === 'table' && { columns: rows.columns }),
    ...(type === 'computed' && { terms: { '+': [{ var: 'money' }, { times: [{ var: 'number' }, 5] }] } }),
    ...(type === 'reading' && { text: 'Read this.' }),
  })) as Field[]
  const stored = JSON.parse(JSON.stringify(oneStep(...all))) as unknown
  expect(definition.safeParse(stored)).toMatchObject({ success: true, data: stored })
})

describe('reports mistakes', () => {
  it.each<[string, Definition, RegExp]>([
    ['no steps', { steps: [] }, /^steps Add a step/],
    ['a step without fields', oneStep(), /fields Add a field to this step/],
    [
      'a step without a title',
      { steps: [...oneStep(text).steps, { ...blankStep('b'), fields: [fee] }] },
      /steps.1.title/,
    ],
    ['two steps of one name', { steps: [...oneStep(text).steps, ...oneStep(fee).steps] }, /steps.1.id Two steps/],
    ['no label', oneStep({ ...text, label: ' ' }), /fields.0.label Enter a label for this field/],
    [
      'one name twice',
      oneStep(text, { ...fee, name: 'text' }),
      /fields.1.name Two fields have the internal name “text”/,
    ],
    ['one label twice', oneStep(text, { ...fee, label: 'TEXT' }), /fields.1.label Two fields in this step/],
    ['a name that is taken', oneStep({ ...text, name: 'constructor' }), /is a reserved name/],
    ['no options', oneStep({ ...pet, options: [] }), /options Add answers/],
    [
      'an option without words',
      oneStep({ ...pet, options: [{ value: 'a', label: '' }] }),
      /options.0.label Enter text for this/,
    ],
    [
      'an option twice',
      oneStep({ ...pet, options: [pet.options[0], { value: 'x', label: 'yes' }] as never }),
      /options.1.label .* twice/,
    ],
    ['most under least', oneStep({ ...count, min: 5, max: 4 }), /max The maximum is less/],
    [
      'days the wrong way round',
      oneStep({ ...day, earliest: '2026-02-01', latest: '2026-01-01' }),
      /latest The latest/,
    ],
    ['more to choose than there is', oneStep({ ...many, min: 3 }), /min The list has fewer/],
    ['a text to read without text', oneStep({ ...blankField('reading', 'r'), label: 'Terms' }), /text Enter the text/],
    ['a table without columns', oneStep({ ...rows, columns: [] }), /columns Add a column/],
    ['a column twice', oneStep({ ...rows, columns: [...rows.columns, ...rows.columns] }), /columns.1.name Two columns/],
    ['a prefill of another kind', oneStep({ ...text, prefill: 'email' }), /prefill This source cannot/],
    ['a condition without anything', oneStep({ ...text, showWhen: whenAll() }), /showWhen Add a condition/],
    ['a removed field', oneStep({ ...text, ...when({ filled: [{ var: 'gone' }] }) }), /no longer exists/],
    ['a later field', oneStep({ ...text, ...when({ filled: [{ var: 'fee' }] }) }, fee), /“Fee” comes later/],
    ['itself', oneStep({ ...text, ...when({ filled: [{ var: 'text' }] }) }), /cannot refer to itself/],
    [
      'a circle',
      oneStep({ ...text, ...when({ filled: [{ var: 'fee' }] }) }, { ...fee, ...when({ filled: [{ var: 'text' }] }) }),
      /fields\.0\.showWhen\.0 This field and “Fee” depend on each other/,
    ],
    [
      'an operator of another type',
      oneStep(pet, { ...text, ...when({ '>': [{ var: 'pet' }, 1] }) }),
      /does not support this comparison/,
    ],
    ['an option that is gone', oneStep(pet, { ...text, ...when({ '==': [{ var: 'pet' }, 'cat'] }) }), /no longer has/],
    [
      'nothing to compare with',
      oneStep(pet, { ...text, ...when({ '==': [{ var: 'pet' }] }) }),
      /Enter or choose a value/,
    ],
    ['a text as a number', oneStep(count, { ...text, ...when({ '>': [{ var: 'count' }, '5'] }) }), /Enter a number/],
    ['a day that is none', oneStep(day, { ...text, ...when({ day_is: [{ var: 'day' }, '2026-02-30'] }) }), /calendar/],
    ['half a cent', oneStep(fee, { ...text, ...when({ cents_over: [{ var: 'fee' }, 0.5] }) }), /Enter an amount/],
    ['years without end', oneStep(day, { ...text, ...when({ years_ago: [{ var: 'day' }, 151] }) }), /from 0 to 150/],
    ['an amount of nothing', oneStep({ ...sum, terms: { '+': [] } }), /terms Add a line/],
    ['a sum over a text', oneStep(text, { ...sum, terms: { '+': [{ var: 'text' }] } }), /not a dollar amount/],
    ['a price of a text', oneStep(text, { ...sum, terms: { '+': [{ times: [{ var: 'text' }, 5] }] } }), /not a number/],
    [
      'a sum over a column of texts',
      oneStep(rows, { ...sum, terms: { '+': [{ sum: ['rows', 'a'] }] } }),
      /does not have this amount column/,
    ],
    ['a sum over itself', oneStep({ ...sum, terms: { '+': [{ var: 'sum' }] } }), /cannot refer to itself/],
  ])('%s', (_what, value, message) => {
    expect(messagesOf(value).join('\n')).toMatch(message)
    expect(definition.safeParse(value).success).toBe(false)
  })

  it('rejects a step that asks about its own fields', () => {
    const [step] = oneStep(text).steps
    expect(messagesOf({ steps: [{ ...step, ...when({ filled: [{ var: 'text' }] }) } as never] })).toEqual([
      'steps.0.showWhen.0 “Text” comes later. Move it above this step, or choose another field.',
    ])
  })
})

it('rejects operators outside its list', () => {
  const of = (showWhen: unknown) => sketch.safeParse(oneStep({ ...text, showWhen } as never)).success
  expect(of({ and: [{ filled: [{ var: 'text' }] }] })).toBe(true)
  for (const logic of [
    { and: [{ reduce: [{ var: 'text' }, 1] }] },
    { and: [{ filled: [{ var: 'text' }], '==': [{ var: 'text' }, 'x'] }] },
    { and: [{}] },
    { and: [], or: [] },
    { and: [{ '==': [{ var: 'text' }, 1 / 0] }] },
    { and: [{ '==': [{ var: 'text' }, { var: 'other' }] }] },
    { and: [{ '==': [{ var: '__proto__' }, 'x'] }] },
    { filled: [{ var: 'text' }] },
  ])
    expect(of(logic), JSON.stringify(logic)).toBe(false)
})

it('makes unique names from labels', () => {
  expect(nameFrom('Größe des Hundes?', [])).toBe('gro_e_des_hundes')
  expect(nameFrom('2nd name', ['nd_name'])).toBe('nd_name_2')
  expect(nameFrom('Constructor', [])).toBe('constructor_2')
  expect(nameFrom('¿?', [])).toBe('field')
})
