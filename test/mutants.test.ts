import { expect, test } from 'vitest'
import { lostMutants } from './mutants.ts'
import { root } from './processes.ts'

test('every fault that is planted at night has its place still', () => {
  expect(lostMutants(root('')).map(({ fault, file }) => `${file}: ${fault}`)).toEqual([])
})
