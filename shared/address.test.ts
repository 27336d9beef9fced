import { expect, it } from 'vitest'
import { typeState } from './address.ts'
import { states } from './states.ts'

it('turns the full name of each state into its two letters', () => {
  for (const { shortname, fullname } of states)
    expect([typeState(fullname), typeState(fullname.toLowerCase()), typeState(shortname)]).toEqual(
      Array(3).fill(shortname),
    )
})

it('keeps two letters of any other text', () => {
  expect(['p', 'pa', 'pa 17011', 'DC'].map(typeState)).toEqual(['P', 'PA', 'PA', 'DC'])
})
