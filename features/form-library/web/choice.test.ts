import { expect, test } from 'vitest'
import { changesOf, type Choice, toggled } from './choice.ts'

const oak = { id: 1, name: 'Oak Hill', assigned: false }
const elm = { id: 2, name: 'Elm City', assigned: true }
const names = (choice: Choice) => {
  const { added, removed } = changesOf(choice)
  return [added.map(({ name }) => name), removed.map(({ name }) => name)]
}

test('adds a lacking company, removes an assigned one, and undoes both', () => {
  const both = toggled(toggled({}, [oak], true), [elm], false)
  expect(names(both)).toEqual([['Oak Hill'], ['Elm City']])
  expect(toggled(toggled(both, [oak], false), [elm], true)).toEqual({})
})

test('undoes a change by its own entry, which implies the saved state', () => {
  const { added, removed } = changesOf(toggled(toggled({}, [oak], true), [elm], false))
  expect(toggled(toggled({ 1: added[0] as never, 2: removed[0] as never }, added, false), removed, true)).toEqual({})
})

test('ignores a choice of the saved state', () => {
  expect(toggled({}, [oak, elm], true)).toEqual({ 1: { ...oak, assigned: true } })
  expect(toggled({}, [elm], true)).toEqual({})
})
