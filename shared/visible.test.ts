import { describe, expect, test } from 'vitest'
import { nameField } from './accounts.ts'
import { line, searchLine } from './body-parts.ts'

const fields = { 'a name': nameField('Enter a name.'), 'a line': line(80) }

describe.each(Object.entries(fields))('%s', (_, field) => {
  test.each(['ශ්‍රීනි', 'علی‌رضا', 'क्‍ष', 'Zoë', 'O’Connor', '王小明', '👩‍🚒', "D'Angelo-Łukasz"])('accepts %s', (name) => {
    expect(field.safeParse(name)).toMatchObject({ success: true, data: name })
  })
  test.each([
    ['a direction override', 'Anna \u202Ennob'],
    ['an isolate', '\u2066Anna\u2069'],
    ['a direction mark', 'Anna\u200F'],
    ['only a joiner', '\u200D'],
    ['a joiner after a blank', 'Anna \u200DBert'],
    ['a zero-width space', 'An\u200Bna'],
    ['a soft hyphen', 'An\u00ADna'],
    ['a line break', 'Anna\nBert'],
    ['markup', 'Anna <b>'],
    ['half of a character', 'Anna \uD83D'],
    ['a private character', 'Anna \uE000'],
  ])('refuses %s', (_what, name) => {
    expect(field.safeParse(name).success).toBe(false)
  })
})

test.each([
  ['is lead < 15 ppb safe?', 'is lead   15 ppb safe?'],
  ['<script>', 'script'],
  ['5 > 3', '5   3'],
  ['a\u202Eb\u0000c', 'a b c'],
])('ignores characters in a search for %j that no text has', (text, searched) => {
  expect(searchLine(200).parse(text)).toBe(searched)
})
