import { expect, it } from 'vitest'
import { expiryOf, shapeCardNumber, shapeExpiry } from './shapes.ts'

it.each([
  '08/30',
  '8/30',
  '8/2030',
  '08/2030',
  '08 / 2030',
  '082030',
  '82030',
  '0830',
  '830',
  '08-30',
  '08.2030',
  '08 30',
  '2030-08',
  '2030/8',
  '2030-08-31',
  '203008',
  ' 08/30 ',
  '08\u200B/\u00A030',
  '\u202A08/2030\u202C',
  '０８／２０３０',
])('writes a pasted or autofilled expiry %j as 08 / 30', (text) => {
  expect(shapeExpiry(text)).toBe('08 / 30')
})

const typed = (keys: string) => [...keys].reduce((value, key) => shapeExpiry(value + key, value), '')

it.each([
  ['0830', '08 / 30'],
  ['830', '08 / 30'],
  ['8/30', '08 / 30'],
  ['08/30', '08 / 30'],
  ['08/2030', '08 / 30'],
  ['082030', '08 / 30'],
  ['1230', '12 / 30'],
  ['1/30', '01 / 30'],
  ['0820', '08 / 20'],
  ['08301', '08 / 30'],
])('shapes an expiry typed as %s into %s', (keys, expected) => {
  expect(typed(keys)).toBe(expected)
})

it('deletes the digit before the slash with the slash', () => {
  expect(shapeExpiry('08 /', '08 / ')).toBe('0')
})

it.each([
  ['12 / 30', { month: 12, year: 2030 }],
  ['13 / 30', null],
  ['08 / 203', null],
  ['08 / 3', null],
  ['', null],
])('reads %j as %j', (text, expiry) => {
  expect(expiryOf(text)).toEqual(expiry)
})

it.each([
  ['4242424242424242', 'visa', '4242 4242 4242 4242'],
  ['4242-4242\u00A04242\u200B4242', 'visa', '4242 4242 4242 4242'],
  ['378282246310005', 'amex', '3782 822463 10005'],
  ['42424242424242421111', 'visa', '4242 4242 4242 4242 1111'],
])('groups the card number %j of %s', (text, brand, expected) => {
  expect(shapeCardNumber(text, brand)).toBe(expected)
})
