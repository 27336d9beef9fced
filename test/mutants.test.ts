import { expect, test } from 'vitest'
import { lostMutants } from './mutants.ts'
import { root } from './processes.ts'

test('finds the code of every planted fault', () => {
  expect(lostMutants(root('')).map(({ fault, file }) => `${file}: ${fault}`)).toEqual([])
})
