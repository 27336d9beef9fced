import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { answersOf, chargedCents } from './answers.ts'
import { blankColumn, blankField, oneStep, whenAll } from './blank.ts'
import type { Field, FieldType } from './definition.ts'
import { fieldTypes } from './definition.ts'
import { namesSigner } from './signature.ts'

const TODAY = '2026-11-20'

interface Case {
  /** Settings to add to the blank field. */
  with?: object
  valid: [raw: unknown, answer: unknown][]
  /** Inputs that exceed a limit, each with a part of its error message. */
  overLimits: [raw: unknown, text: RegExp, part?: string][]
  unsupportedType: unknown[]
  empty: unknown[]
}

const table = {
  columns: [
    { ...blankColumn('text', 'what'), label: 'What', required: true },
    { ...blankColumn('money', 'price'), label: 'Price' },
  ],
  max: 2,
}
const here = { address1: '12 Oak St', address2: '', city: 'Maple Grove', state: 'PA', zipcode: '17011' }
const file = { owner: 'person-7', id: '12', name: 'dog.png' }

const cases: Record<Exclude<FieldType, 'reading' | 'computed'>, Case> = {
  text: {
    with: { minLength: 2, maxLength: 5 },
    valid: [
      [' Ann\u0000 ', 'Ann'],
      ['a\r\nb', 'a\nb'],
      ['\ud800x', '\ufffdx'],
    ],
    overLimits: [
      ['abcdef', /no more than 5 characters. You entered 6/],
      ['a', /at least 2/],
    ],
    unsupportedType: [7, ['a'], {}, true],
    empty: ['', '   ', null, undefined, '\u0000'],
  },
  choice: {
    valid: [['yes', 'yes']],
    overLimits: [['maybe', /from the list/]],
    unsupportedType: [7, ['yes'], {}],
    empty: ['', null],
  },
  choices: {
    with: { min: 2, max: 2, options: ['a', 'b', 'c'].map((value) => ({ value, label: value })) },
    valid: [
      [
        ['c', 'a', 'a'],
        ['a', 'c'],
      ],
    ],
    overLimits: [
      [['a'], /at least 2/],
      [['a', 'b', 'c'], /no more than 2/],
      [['a', 'x'], /in the list/],
    ],
    unsupportedType: ['a', 7, {}],
    empty: [[], null, false],
  },
  date: {
    with: { earliest: '2026-01-01', latest: 'today' },
    valid: [
      ['2026-11-20', '2026-11-20'],
      ['2026-01-01', '2026-01-01'],
    ],
    overLimits: [
      ['2026-11-21', /today or an earlier/],
      ['2025-12-31', /January 1, 2026 or a later/],
      ['2026-02-30', /date does not exist/],
      ['soon', /four-digit year/],
    ],
    unsupportedType: [20261120, {}, ['2026-11-20']],
    empty: ['', null],
  },
  checkbox: { valid: [[true, true]], overLimits: [], unsupportedType: ['on', 1, []], empty: [false, null, ''] },
  number: {
    with: { min: -5, max: 10_000, decimals: 2 },
    valid: [
      ['1,234.50', 1234.5],
      [7, 7],
      ['-0', 0],
      ['\u22124', -4],
    ],
    overLimits: [
      ['-6', /-5 or more/],
      ['10001', /10000 or less/],
      ['1.234', /no more than 2 digits/],
      ['twelve', /such as 12/],
      [1e21, /such as 12/],
    ],
    unsupportedType: [['1'], {}, true],
    empty: ['', ' ', null],
  },
  payment: {
    with: { min: 500, max: 150_000 },
    valid: [
      ['$25', 2500],
      [2500, 2500],
    ],
    overLimits: [
      ['4.99', /at least \$5.00/],
      [150_001, /no more than \$1,500.00/],
    ],
    unsupportedType: ['a lot', 2.5, -1, ['25'], {}],
    empty: ['', null],
  },
  money: {
    valid: [['1,234.5', 123_450]],
    overLimits: [[1_000_000_000, /no more than \$9,999,999.99/]],
    unsupportedType: ['1.234', Number.NaN, {}, true],
    empty: ['', ' ', null],
  },
  address: {
    valid: [[{ ...here, state: 'pa', junk: 1 }, here]],
    overLimits: [
      [{ ...here, state: 'XX' }, /No US state/, 'state'],
      [{ ...here, zipcode: '1' }, /5-digit/, 'zipcode'],
      [{ ...here, city: 'x'.repeat(101) }, /up to 100/, 'city'],
      [{ city: 'Maple Grove' }, /house number/, 'address1'],
    ],
    unsupportedType: ['12 Oak St', 7],
    empty: [{}, { address1: ' ' }, null, []],
  },
  email: {
    valid: [[' ann@example.org ', 'ann@example.org']],
    overLimits: [[`${'a'.repeat(250)}@example.org`, /Enter an email address/]],
    unsupportedType: ['ann', 7, {}],
    empty: ['', null],
  },
  phone: {
    valid: [['+1 (717) 555-0199', '7175550199']],
    overLimits: [['717-555', /10-digit/]],
    unsupportedType: [7_175_550_199, [], 'call me'],
    empty: ['', null],
  },
  file: {
    with: { maxFiles: 1 },
    valid: [[[file], [file]]],
    overLimits: [[[file, { ...file, id: '13' }], /only one file/]],
    unsupportedType: ['dog.png', [7], [{ id: 12 }], [{ ...file, owner: '../x' }], {}],
    empty: [[], null],
  },
  signature: {
    valid: [
      [{ typed: ' Ann  Lee ' }, { typed: 'Ann Lee' }],
      [{ drawn: [[[0, 1000]]] }, { drawn: [[[0, 1000]]] }],
    ],
    overLimits: [
      [{ typed: 'x'.repeat(101) }, /up to 100/],
      [{ drawn: [Array.from({ length: 4001 }, () => [1, 1])] }, /too detailed/],
    ],
    unsupportedType: ['Ann', 7, { drawn: [[[0.5, 2]]] }, { drawn: [[[0, 1001]]] }, { drawn: [[]] }, { typed: '...' }],
    empty: [{ typed: ' ' }, { drawn: [] }, null],
  },
  table: {
    with: table,
    valid: [[[{ what: 'Rex', price: '5' }, {}, { what: '' }], [{ what: 'Rex', price: 500 }]]],
    overLimits: [
      [[{ what: 'a' }, { what: 'b' }, { what: 'c' }], /no more than 2 rows/],
      [[{}, { price: '5' }], /Enter an answer/, '1.what'],
      [[{ what: 'a', price: 'x' }], /such as 25.00/, '0.price'],
    ],
    unsupportedType: ['a', [7], [['a']], {}],
    empty: [[], [{}], [{ what: '', price: '' }], null],
  },
}

const check = (fields: Field[], raw: object) => answersOf(oneStep(...fields), raw, TODAY)
const onlyWhenYes = whenAll({ '==': [{ var: 'choice' }, 'yes'] })

describe.each(Object.keys(cases) as (keyof typeof cases)[])('%s', (type) => {
  const { with: set, valid, overLimits, unsupportedType, empty } = cases[type]
  const field = { ...blankField(type, 'it'), label: 'It', ...set } as Field
  const required = { ...field, required: true } as Field

  it('accepts valid input and cleans it', () => {
    for (const [raw, answer] of valid)
      expect(check([required], { it: raw })).toMatchObject({ answers: { it: answer }, errors: {} })
  })

  it('is refused if empty and required, else omitted', () => {
    for (const raw of [...empty, undefined]) {
      expect(Object.keys(check([required], { it: raw }).errors), JSON.stringify(raw)).toEqual(['it'])
      expect(check([field], { it: raw }), JSON.stringify(raw)).toMatchObject({ answers: {}, errors: {} })
    }
  })

  it('is refused with an error if over its limits or malformed', () => {
    for (const [raw, message, part] of overLimits) {
      const { answers, errors } = check([field], { it: raw })
      expect(errors[part ? `it.${part}` : 'it'], JSON.stringify(raw)).toMatch(message)
      expect(answers).toEqual({})
    }
    for (const raw of unsupportedType) {
      const { answers, errors } = check([field], { it: raw })
      expect(Object.values(errors).join(), JSON.stringify(raw)).toMatch(/^[A-Z“].+\.$/)
      expect(answers).toEqual({})
    }
  })

  it('is neither required nor saved if its condition hides it', () => {
    const hidden = { ...required, showWhen: onlyWhenYes } as Field
    const choiceField = { ...blankField('choice', 'choice'), label: 'Which?' }
    for (const raw of [...valid.map(([good]) => good), ...unsupportedType]) {
      const { answers, errors, visibleKeys } = check([choiceField, hidden], { choice: 'no', it: raw })
      expect([answers, errors, visibleKeys.has('it')]).toEqual([{ choice: 'no' }, {}, false])
    }
    expect(check([choiceField, hidden], { choice: 'yes', it: valid[0]?.[0] }).answers).toHaveProperty('it')
  })
})

it('asks to fill in an added row, not to add one', () => {
  const rows = { ...blankField('table', 'it'), label: 'It', ...table, required: true }
  expect(check([rows], { it: [] }).errors['it']).toBe('Add at least one row.')
  expect(check([rows], { it: [{}] }).errors['it']).toBe('Fill in at least one row.')
  expect(check([rows], { it: [{ what: 'Rex' }] }).errors).toEqual({})
})

it('has a row for every type', () => {
  expect([...Object.keys(cases), 'reading', 'computed'].toSorted()).toEqual(Object.keys(fieldTypes).toSorted())
})

describe('computed amounts', () => {
  const count = { ...blankField('number', 'count'), label: 'Guests', decimals: 3 }
  const kind = { ...blankField('choice', 'kind'), label: 'Resident?' }
  const paid = { ...blankField('payment', 'paid'), label: 'Deposit', fixed: 1000 }
  const rows = { ...blankField('table', 'rows'), label: 'Items', ...table }
  const total = {
    ...blankField('computed', 'total'),
    label: 'Total',
    charged: true,
    terms: {
      '+': [
        { cents: 250 },
        { times: [{ var: 'count' }, 333] as [{ var: string }, number] },
        { sum: ['rows', 'price'] as [string, string] },
        { if: [{ '==': [{ var: 'kind' }, 'no'] }, { cents: 5000 }, 0] },
      ],
    },
  } as Field
  const fields = [count, kind, paid, rows, total]

  it('are computed here, whatever was sent', () => {
    const raw = { count: '1.5', kind: 'no', paid: 1, rows: [{ what: 'a', price: '2' }], total: 1 }
    const { answers } = check(fields, raw)
    // The total is 2.50, plus 1.5 times 3.33 rounded half up, plus 2.00, plus 50.00 for nonresidents.
    expect(answers).toMatchObject({ paid: 1000, total: 250 + 500 + 200 + 5000 })
    expect(chargedCents(oneStep(...fields), answers)).toBe(1000 + 5950)
  })

  it('count missing and hidden answers as zero and report overflow', () => {
    expect(check(fields, {}).answers['total']).toBe(250)
    const hidden = { ...count, showWhen: whenAll({ '==': [{ var: 'kind' }, 'yes'] }) }
    expect(check([kind, hidden, total], { kind: 'no', count: 3 }).answers['total']).toBe(5250)
    expect(check(fields, { count: 10_000_000 }).errors['total']).toMatch(/more than \$9,999,999.99/)
  })
})

describe('conditions', () => {
  const born = { ...blankField('date', 'born'), label: 'Born' }
  const pets = { ...blankField('choices', 'pets'), label: 'Pets' }
  const fee = { ...blankField('money', 'fee'), label: 'Fee' }
  const isVisibleFor = (comparison: object, raw: object) =>
    check([born, pets, fee, { ...blankField('text', 'then'), showWhen: { and: [comparison] } }], raw).visibleKeys.has(
      'then',
    )

  it.each([
    [{ years_ago: [{ var: 'born' }, 18] }, { born: '2008-11-20' }, { born: '2008-11-21' }],
    [{ day_before: [{ var: 'born' }, 'today'] }, { born: '2026-11-19' }, { born: '2026-11-20' }],
    [{ day_after: [{ var: 'born' }, '2026-01-01'] }, { born: '2026-01-02' }, { born: '2026-01-01' }],
    [{ day_is: [{ var: 'born' }, 'today'] }, { born: TODAY }, {}],
    [{ includes: [{ var: 'pets' }, 'first'] }, { pets: ['first'] }, { pets: ['second'] }],
    [{ lacks: [{ var: 'pets' }, 'first'] }, { pets: ['second'] }, {}],
    [{ cents_over: [{ var: 'fee' }, 500] }, { fee: '5.01' }, { fee: '5.00' }],
    [{ cents_under: [{ var: 'fee' }, 500] }, { fee: '4.99' }, {}],
    [{ empty: [{ var: 'fee' }] }, {}, { fee: '1' }],
    [{ filled: [{ var: 'fee' }] }, { fee: '0' }, { fee: 'nonsense' }],
  ])('%j', (comparison, holding, not) => {
    expect(isVisibleFor(comparison, holding)).toBe(true)
    expect(isVisibleFor(comparison, not)).toBe(false)
  })

  it('treats hidden fields as unanswered, also across steps', () => {
    const first = { ...blankField('choice', 'first'), label: 'First' }
    const second = { ...blankField('text', 'second'), showWhen: whenAll({ '==': [{ var: 'first' }, 'yes'] }) }
    const third = { ...blankField('text', 'third'), showWhen: whenAll({ filled: [{ var: 'second' }] }) }
    const [step] = oneStep(first, second).steps
    const later = { ...oneStep(third).steps[0], id: 'later', showWhen: whenAll({ filled: [{ var: 'second' }] }) }
    const two = { steps: [step, later] } as never
    expect(answersOf(two, { first: 'no', second: 'x', third: 'y' }, TODAY).answers).toEqual({ first: 'no' })
    expect(Object.keys(answersOf(two, { first: 'yes', second: 'x', third: 'y' }, TODAY).answers)).toHaveLength(3)
  })
})

describe('both sides', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('yes', 'no', '12', '25.00', 'ann@example.org', '717-555-0199', '2026-11-20', true),
    fc.constantFrom(
      ...Object.values(cases).flatMap(({ valid, overLimits }) => [...valid, ...overLimits].map(([raw]) => raw)),
    ),
  )
  const types = Object.keys(cases) as (keyof typeof cases)[]
  const fields: Field[] = types.map((type, at) => {
    const showWhen = at > 3 && at % 3 === 0 ? { or: [{ filled: [{ var: types[at - 2] as string }] }] } : null
    return { ...blankField(type, type), label: type, ...cases[type].with, required: at % 2 === 0, showWhen } as Field
  })
  const definition = oneStep(...fields)

  it('agree on which input they accept and which they refuse', () => {
    const raws = fc.oneof(fc.jsonValue(), fc.record(Object.fromEntries(types.map((type) => [type, anything]))))
    fc.assert(
      fc.property(raws, (raw) => {
        const typed = answersOf(definition, raw, TODAY)
        // The server receives the browser's inputs as JSON. It must return the same answers for cleaned answers as for
        // typed ones.
        const sent = answersOf(definition, JSON.parse(JSON.stringify(raw)), TODAY)
        expect(sent).toEqual(typed)
        const again = answersOf(definition, typed.answers, TODAY)
        if (Object.keys(typed.errors).length === 0) expect(again).toEqual(typed)
        expect(again.answers).toEqual(typed.answers)
        expect(JSON.stringify(typed.answers)).not.toContain(String.raw`\u0000`)
        expect(JSON.stringify(typed.answers).isWellFormed()).toBe(true)
      }),
      { numRuns: process.env['NIGHTLY'] ? 20_000 : 1000 },
    )
  })
})

describe('a column of phone numbers or emails', () => {
  const contacts = {
    ...blankField('table', 'contacts'),
    columns: [
      { ...blankColumn('phone', 'phone'), label: 'Phone' },
      { ...blankColumn('email', 'email'), label: 'Email' },
    ],
  }
  it.each([
    ['12', 'ada@example.com', false],
    ['call me', 'ada@example.com', false],
    ['717-555-0144', 'ada', false],
    ['(717) 555-0144', 'ada@example.com', true],
  ])('is checked like such a field: %s, %s', (phone, email, isRight) => {
    const { errors } = check([contacts], { contacts: [{ phone, email }] })
    expect(Object.keys(errors).length === 0).toBe(isRight)
  })
})

test('requires a word of the signer’s name in a typed signature', () => {
  const signs: [string, string][] = [
    ['Bob Miller', 'Robert J. Miller'],
    ['JOSE NUNEZ', 'José Núñez'],
    ['Ann Lee-Carter', 'Ann Carter'],
    ['王芳', '王芳'],
    ['Whoever', ''],
  ]
  const doesNot: [string, string][] = [
    ['Naomi Whitaker', 'Ann Caller'],
    ['J. Smith', 'Robert J. Miller'],
    ['Mill', 'Robert Miller'],
  ]
  for (const [typed, signer] of signs) expect(namesSigner(typed, signer), `${typed} for ${signer}`).toBe(true)
  for (const [typed, signer] of doesNot) expect(namesSigner(typed, signer), `${typed} for ${signer}`).toBe(false)
})
