import { expect, it } from 'vitest'
import { streetOf } from './rules.ts'

it.each([
  ['214 Tannery Road', 'Tannery Road'],
  ['214-B Tannery Road, Apt 3', 'Tannery Road'],
  ['12 1/2 5th Street Unit 4-C', '5th Street'],
  ['7A Mill Lane #2', 'Mill Lane'],
  ['Aptos Street', 'Aptos Street'],
])('shortens the address %s to %s', (address, street) => expect(streetOf(address)).toBe(street))
