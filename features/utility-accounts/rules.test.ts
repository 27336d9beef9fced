import { describe, expect, it } from 'vitest'
import { businesses } from '../../database/names.ts'
import { endsName, maskedName, streetOf } from './rules.ts'

describe('masked customer name', () => {
  it.each([
    ['Dorothy Abernathy', 'D. Abernathy'],
    ['Mary Ann  Church', 'M. A. Church'],
    ['John & Mary Abernathy', 'J. & M. Abernathy'],
    ['Émile Zola Jr.', 'É. Zola Jr.'],
    ['Prince', 'Prince'],
    ['Tannery Row LLC', 'Tannery Row LLC'],
  ])('masks %s as %s', (name, masked) => expect(maskedName(name)).toBe(masked))

  it.each(businesses)('keeps the name of the business %s', (name) => expect(maskedName(name)).toBe(name))
})

it.each([
  ['214 Tannery Road', 'Tannery Road'],
  ['214-B Tannery Road, Apt 3', 'Tannery Road'],
  ['12 1/2 5th Street Unit 4-C', '5th Street'],
  ['7A Mill Lane #2', 'Mill Lane'],
  ['Aptos Street', 'Aptos Street'],
])('shortens the address %s to %s', (address, street) => expect(streetOf(address)).toBe(street))

it.each([
  ['Dorothy Abernathy', 'abernathy', true],
  ['Dorothy Abernathy', 'Dorothy Abernathy', true],
  ['Renée O’Neill-Núñez Jr.', 'oneillnunez', true],
  ['Blue Heron Coffee LLC', 'blue heron coffee', true],
  ['Dorothy Abernathy', 'Dorothy', false],
  ['Dorothy Abernathy', 'nathy', false],
  ['Dorothy Abernathy', ' . ', false],
])('matches the last name of %s with “%s”: %s', (name, typed, right) => expect(endsName(name, typed)).toBe(right))
