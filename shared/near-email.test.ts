import { expect, it } from 'vitest'
import { nearEmail } from './near-email.ts'

it.each([
  ['ida@gmial.com', 'ida@gmail.com'],
  ['ida@gmal.com', 'ida@gmail.com'],
  ['ida@gmaill.com', 'ida@gmail.com'],
  ['ida@gmail.con', 'ida@gmail.com'],
  ['ida@gmail,com', 'ida@gmail.com'],
  ['ida@gmailcom', 'ida@gmail.com'],
  [' Ida.Moss@GMIAL.COM ', 'Ida.Moss@gmail.com'],
  ['ida@hotmial.com', 'ida@hotmail.com'],
  ['ida@yaho.com', 'ida@yahoo.com'],
  ['ida@comcast.ent', 'ida@comcast.net'],
])('suggests the provider for %s', (typed, meant) => expect(nearEmail(typed)).toBe(meant))

it.each([
  'ida@gmail.com',
  'ida@ymail.com',
  'ida@mail.com',
  'ida@maplegrove.example',
  'ida',
  '@gmial.com',
  'a@b@gmial.com',
  '',
])('suggests nothing for %s', (typed) => expect(nearEmail(typed)).toBeNull())
