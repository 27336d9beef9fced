import { describe, expect, it } from 'vitest'
import { businesses } from '../database/names.ts'
import { areLastNamesFirst, endsName, maskedName, splitLastFirst, withComma } from './person-names.ts'

describe('masked customer name', () => {
  it.each([
    ['Dorothy Abernathy', 'D. Abernathy'],
    ['Mary Ann  Church', 'M. A. Church'],
    ['John & Mary Abernathy', 'J. & M. Abernathy'],
    ['Émile Zola Jr.', 'É. Zola Jr.'],
    ['Prince', 'Prince'],
    ['Tannery Row LLC', 'Tannery Row LLC'],
    ['Miller, Roy', 'R. Miller'],
    ['MILLER, ROY', 'R. MILLER'],
    ['Miller , Roy  T', 'R. T. Miller'],
    ['Miller, Roy & Ann', 'R. & A. Miller'],
    ['MILLER, ROY AND ANN', 'R. AND A. MILLER'],
    ['Miller, Roy & Lee, Ann', 'R. Miller & A. Lee'],
    ['Miller & Lee, Roy', 'R. Miller & Lee'],
    ['Miller, Roy Jr.', 'R. Miller Jr.'],
    ['Miller, Roy, Jr.', 'R. Miller Jr.'],
    ['Miller Jr., Roy', 'R. Miller Jr.'],
    ['Roy Miller, Jr.', 'R. Miller Jr.'],
    ['MILLER, ROY ET UX', 'R. MILLER ET UX'],
    ['Van der Berg, Roy', 'R. Van der Berg'],
    ['Parish, Mary', 'M. Parish'],
    ['Miller,', 'Miller,'],
    ['Acme, Inc.', 'Acme, Inc.'],
    ['Miller & Sons, LLC', 'Miller & Sons, LLC'],
    ['MILLER & SONS', 'MILLER & SONS'],
    ['Miller, Lee & Brown, P.C.', 'Miller, Lee & Brown, P.C.'],
  ])('masks %s as %s', (name, masked) => expect(maskedName(name)).toBe(masked))

  it.each(businesses)('keeps the name of the business %s', (name) => expect(maskedName(name)).toBe(name))
})

it.each([
  ['Dorothy Abernathy', 'abernathy', true],
  ['Dorothy Abernathy', 'Dorothy Abernathy', true],
  ['Renée O’Neill-Núñez Jr.', 'oneillnunez', true],
  ['Blue Heron Coffee LLC', 'blue heron coffee', true],
  ['Dorothy Abernathy', 'Dorothy', false],
  ['Dorothy Abernathy', 'nathy', false],
  ['Dorothy Abernathy', ' . ', false],
  ['Miller, Roy', 'miller', true],
  ['MILLER, ROY', 'Roy Miller', true],
  ['Miller, Roy', 'Miller, Roy', true],
  ['Miller, Roy', 'roy', false],
  ['Miller, Roy Jr.', 'Miller', true],
  ['Van der Berg, Roy', 'van der berg', true],
  ['Miller, Roy & Ann', 'Miller', true],
  ['Miller, Roy & Ann', 'Ann', false],
  ['Miller, Roy & Lee, Ann', 'Miller', true],
  ['Miller, Roy & Lee, Ann', 'Lee', true],
  ['Acme, Inc.', 'acme', true],
])('matches the last name of %s with “%s”: %s', (name, typed, right) => expect(endsName(name, typed)).toBe(right))

it.each([
  ['Miller, Roy', { first: 'Roy', last: 'Miller' }],
  ['Miller, Roy & Ann, Jr.', { first: 'Roy & Ann', last: 'Miller Jr.' }],
  ['Roy Miller', null],
  ['Roy Miller, Jr.', null],
  ['Acme, Inc.', null],
])('splits the last name first of %s', (name, split) => expect(splitLastFirst(name)).toEqual(split))

it.each([
  ['MILLER HAL', 'MILLER, HAL'],
  ['MILLER HAL & ANN', 'MILLER, HAL & ANN'],
  ['MILLER HAL JR', 'MILLER, HAL JR'],
  ['VAN DER BERG EMMA L', 'VAN DER BERG, EMMA L'],
  ['ST. CLAIR ANN', 'ST. CLAIR, ANN'],
  ['Miller, Roy', 'Miller, Roy'],
  ['MILLER', 'MILLER'],
  ['VAN DYKE', 'VAN DYKE'],
  ['MILLER HARDWARE STORE', 'MILLER HARDWARE STORE'],
  ['', ''],
])('adds the comma after the last name of “%s”', (name, result) => expect(withComma(name)).toBe(result))

it('masks and finds names after the comma was added', () => {
  expect(maskedName(withComma('MILLER HAL & ANN'))).toBe('H. & A. MILLER')
  expect(endsName(withComma('MILLER HAL'), 'Miller')).toBe(true)
  expect(endsName(withComma('VAN DER BERG EMMA L'), 'van der Berg')).toBe(true)
})

it('recognizes files with the last name first, and no others', () => {
  expect(areLastNamesFirst(['MILLER HAL', 'OAKS MARY', 'VAN DYKE ROBERT', 'GROVE HARDWARE STORE'])).toBe(true)
  expect(areLastNamesFirst(['Hal Miller', 'Mary Oaks', 'Robert Van Dyke'])).toBe(false)
  expect(areLastNamesFirst(['Miller, Hal', 'Oaks, Mary', 'Dyke, Robert'])).toBe(false)
  // Both words may be a first name.
  expect(areLastNamesFirst(['JAMES HAL', 'MARY JAMES', 'HAL PAUL', 'PAUL MARY'])).toBe(false)
  expect(areLastNamesFirst(['MILLER HAL', 'OAKS MARY'])).toBe(false)
})
