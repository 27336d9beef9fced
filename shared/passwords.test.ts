import { expect, it } from 'vitest'
import { passwordProblems } from './passwords.ts'

it.each([
  ['Maple-Grove#2026', []],
  ['Short1!', ['Use 8 to 20 characters.']],
  ['Much-too-long-for-it1', ['Use 8 to 20 characters.']],
  ['NoSpecials2026', ['Use at least one special character, such as ! # or -.']],
  ['No-Number-here', ['Use at least one number.']],
  ['no-capital-1', ['Use at least one capital letter.']],
  [
    '',
    [
      'Use 8 to 20 characters.',
      'Use at least one special character, such as ! # or -.',
      'Use at least one number.',
      'Use at least one capital letter.',
    ],
  ],
  ['Ünïcode-1234', []],
])('checks the password %j', (password, problems) => {
  expect(passwordProblems(password)).toEqual(problems)
})

it('accepts every ASCII punctuation mark as a special character', () => {
  for (const mark of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
    expect(passwordProblems(`Password1${mark}`), mark).toEqual([])
})
