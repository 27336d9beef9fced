import { expect, it } from 'vitest'
import { blankField, blankStep } from '../../../shared/fields/blank.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { moveBy, moveTo, type NodeRef, remove } from './changes.ts'

const field = (name: string) => blankField('text', name)
const definition: Definition = {
  steps: [
    { ...blankStep('one'), fields: [field('a'), field('b')] },
    { ...blankStep('two'), fields: [field('c')] },
    { ...blankStep('three'), fields: [] },
  ],
}
const summaryOf = (value: Definition | null) =>
  value && value.steps.map(({ id, fields }) => `${id}:${fields.map(({ name }) => name).join('')}`).join(' ')

it.each<[NodeRef, 1 | -1, string | null]>([
  [{ field: 'a' }, 1, 'one:ba two:c three:'],
  [{ field: 'a' }, -1, null],
  [{ field: 'b' }, 1, 'one:a two:bc three:'],
  [{ field: 'c' }, -1, 'one:abc two: three:'],
  [{ field: 'c' }, 1, 'one:ab two: three:c'],
  [{ step: 'two' }, -1, 'two:c one:ab three:'],
  [{ step: 'three' }, 1, null],
  [{ field: 'gone' }, 1, null],
])('moves %j by %i', (node, by, result) => expect(summaryOf(moveBy(definition, node, by))).toBe(result))

it.each<[NodeRef, NodeRef, 'before' | 'after', string]>([
  [{ field: 'a' }, { field: 'b' }, 'after', 'one:ba two:c three:'],
  [{ field: 'a' }, { field: 'b' }, 'before', 'one:ab two:c three:'],
  [{ field: 'a' }, { field: 'c' }, 'before', 'one:b two:ac three:'],
  [{ field: 'a' }, { step: 'two' }, 'after', 'one:b two:ac three:'],
  [{ field: 'c' }, { step: 'two' }, 'before', 'one:abc two: three:'],
  [{ field: 'b' }, { step: 'one' }, 'before', 'one:ba two:c three:'],
  [{ field: 'a' }, { step: 'three' }, 'after', 'one:b two:c three:a'],
  [{ step: 'three' }, { field: 'a' }, 'before', 'three: one:ab two:c'],
  [{ step: 'one' }, { field: 'c' }, 'after', 'two:c one:ab three:'],
  [{ step: 'one' }, { step: 'one' }, 'after', 'one:ab two:c three:'],
])('drops %j on %j, %s', (node, target, where, result) =>
  expect(summaryOf(moveTo(definition, node, target, where))).toBe(result),
)

it('removes a step or field', () => {
  expect(summaryOf(remove(definition, { field: 'a' }))).toBe('one:b two:c three:')
  expect(summaryOf(remove(definition, { step: 'one' }))).toBe('two:c three:')
})
