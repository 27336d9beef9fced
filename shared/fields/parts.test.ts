import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeFields } from '../edits.ts'
import { blankField, blankStep, whenAll } from './blank.ts'
import { type Editable, fromParts, partLabel, threeParts, toParts } from './parts.ts'

const field = (name: string, label = name) => ({ ...blankField('text', name), label })
/** Builds a definition: `set('one:ab', 'two:c')` has two steps, with fields of one letter each. */
const set = (...steps: string[]): Editable => ({
  name: 'Dogs',
  steps: steps.map((step) => {
    const [id = '', fields = ''] = step.split(':')
    return { ...blankStep(id), title: id, fields: [...fields].map((name) => field(name)) }
  }),
})
const summaryOf = ({ steps }: Editable) =>
  steps.map(({ id, fields }) => `${id}:${fields.map(({ name }) => name).join('')}`).join(' ')
const relabelled = (from: Editable, name: string, label: string): Editable => ({
  ...from,
  steps: from.steps.map((step) => ({
    ...step,
    fields: step.fields.map((one) => (one.name === name ? { ...one, label } : one)),
  })),
})
const merge = (basis: Editable, own: Editable, now: Editable) => {
  const parts = threeParts(basis, own, now)
  const { merged, collided } = mergeFields(parts.basis, parts.own, parts.now)
  return { parts, merged, stored: fromParts(merged), collided: [...collided.keys()] }
}

it('converts to parts and back without loss', () => {
  const there = set('one:abc', 'two:', 'three:d')
  expect(fromParts(toParts(there))).toEqual(there)
})

it.each<[string, Editable, Editable, Editable, string]>([
  ['each adds a field to a step', set('one:ab'), set('one:abc'), set('one:xab'), 'one:xabc'],
  ['each adds a step', set('one:a'), set('one:a', 'two:b'), set('one:a', 'three:c'), 'one:a two:b three:c'],
  [
    'I move a field, they add one',
    set('one:ab', 'two:c'),
    set('one:b', 'two:ac'),
    set('one:abx', 'two:c'),
    'one:bx two:ac',
  ],
  ['both move fields', set('one:abcd', 'two:'), set('one:bcd', 'two:a'), set('one:dabc', 'two:'), 'one:dbc two:a'],
  [
    'I move a step, they add to it',
    set('one:a', 'two:bcd'),
    set('two:bcd', 'one:a'),
    set('one:ax', 'two:bcd'),
    'two:bcd one:ax',
  ],
  ['each removes a field', set('one:abc'), set('one:bc'), set('one:ab'), 'one:b'],
  ['I remove a step, they add to it', set('one:a', 'two:b'), set('one:a'), set('one:a', 'two:bx'), 'one:a two:x'],
  ['they remove a step, I add to it', set('one:a', 'two:b'), set('one:a', 'two:bx'), set('one:a'), 'one:a two:x'],
  [
    'they move a field into a step that I remove',
    set('one:ab', 'two:c'),
    set('one:ab'),
    set('one:b', 'two:ca'),
    'one:b two:a',
  ],
])('%s', (_what, basis, own, now, result) => {
  const { stored: mergedForm, collided } = merge(basis, own, now)
  expect([summaryOf(mergedForm), collided]).toEqual([result, []])
})

it('reports a field changed by one and removed by the other', () => {
  const basis = set('one:abc', 'two:d')
  const changed = relabelled(basis, 'b', 'Bee')
  const { parts, merged, collided } = merge(basis, changed, set('one:ac', 'two:d'))
  expect(collided).toEqual(['field b'])
  expect(partLabel('field b', parts.now, parts.own)).toBe('Field “Bee”')
  expect(summaryOf(fromParts(merged))).toBe('one:abc two:d')
  expect(summaryOf(fromParts({ ...merged, 'field b': parts.now['field b'] }))).toBe('one:ac two:d')
  // Reverse case: the person removed the step as well.
  const gone = merge(basis, set('two:d'), changed)
  expect(gone.collided).toEqual(['field b'])
  expect(summaryOf(fromParts({ ...gone.merged, 'field b': gone.parts.now['field b'] }))).toBe('one:b two:d')
})

it('reports a field moved to two different steps', () => {
  const { collided } = merge(
    set('one:a', 'two:', 'three:'),
    set('one:', 'two:a', 'three:'),
    set('one:', 'two:', 'three:a'),
  )
  expect(collided).toEqual(['home a'])
})

it('keeps two added fields of one name, and conditions follow the rename', () => {
  const conditional = { ...field('b'), showWhen: whenAll({ filled: [{ var: 'phone' }] }) }
  const own = {
    ...set('one:a'),
    steps: [{ ...blankStep('one'), title: 'one', fields: [field('a'), field('phone', 'Mine'), conditional] }],
  }
  const now = {
    ...set('one:a'),
    steps: [{ ...blankStep('one'), title: 'one', fields: [field('a'), field('phone', 'Theirs')] }],
  }
  const { stored: mergedForm, collided } = merge(set('one:a'), own, now)
  expect(collided).toEqual([])
  expect(mergedForm.steps[0]?.fields.map(({ name, label }) => `${name} ${label}`).toSorted()).toEqual(
    ['a a', 'b b', 'phone Theirs', 'phone_2 Mine'].toSorted(),
  )
  expect(mergedForm.steps[0]?.fields.find(({ name }) => name === 'b')?.showWhen).toEqual({
    and: [{ filled: [{ var: 'phone_2' }] }],
  })
  const steps = merge(set('one:'), set('one:', 'step:x'), set('one:', 'step:y')).stored
  expect(summaryOf(steps).split(' ').toSorted()).toEqual(['one:', 'step:y', 'step_2:x'])
})

/**
 * Applies one person's edits. Each edit is two numbers: the type of edit, and an index that selects the step and field.
 */
function worked(from: Editable, deeds: readonly (readonly [number, number])[], actor: string): Editable {
  let { steps } = structuredClone(from)
  for (const [index, [kind, at]] of deeds.entries()) {
    const step = steps[at % steps.length]
    const other = steps[(at + 1) % steps.length]
    const one = step?.fields[at % (step.fields.length || 1)]
    if (!step || !other) continue
    if (kind === 0) step.fields.splice(at % 3, 0, field(`new_${index}`, `${actor} added ${index}`))
    else if (kind === 1) steps = [...steps, { ...blankStep(`step_${index}`), title: `${actor} added ${index}` }]
    else if (kind === 2) step.title = `${actor} named ${index}`
    else if (kind === 3 && steps.length > 1) steps = steps.filter((some) => some !== step)
    else if (kind === 4) steps = [...steps.slice(1), ...steps.slice(0, 1)]
    else if (one) {
      if (kind === 5) one.label = `${actor} said ${index}`
      else step.fields = step.fields.filter((some) => some !== one)
      if (kind === 7) other.fields.unshift(one)
    }
  }
  return { ...from, steps }
}
const labelsIn = ({ steps }: Editable) => steps.flatMap(({ fields }) => fields.map(({ label }) => label))

it('loses no edit of two people and keeps each field once', () => {
  const deeds = fc.array(fc.tuple(fc.nat(7), fc.nat(11)), { maxLength: 8 })
  const basis = set('one:abc', 'two:d', 'three:ef')
  fc.assert(
    fc.property(deeds, deeds, (myDeeds, theirDeeds) => {
      const [own, now] = [worked(basis, myDeeds, 'I'), worked(basis, theirDeeds, 'They')]
      const { parts, merged, stored: mergedForm, collided } = merge(basis, own, now)
      const names = mergedForm.steps.flatMap(({ fields }) => fields.map(({ name }) => name))
      expect(new Set(names).size).toBe(names.length)
      const labels = collided.map((key) => (parts.now[key] as { label?: string } | null)?.label)
      const there = [...labelsIn(mergedForm), ...labels]
      const written = (side: Editable) => labelsIn(side).filter((label) => /^(I|They) /.test(label))
      expect(there).toEqual(expect.arrayContaining([...written(own), ...written(now)]))
      // The other person would see the same conflicts.
      const other = merge(basis, now, own)
      const [conflicts, otherConflicts] = [collided, other.collided].map((keys) =>
        keys.filter((key) => key.startsWith('field ')),
      )
      expect(conflicts?.length).toBe(otherConflicts?.length)
      // If the form saves the merged values with the stored values as the basis, no conflict remains.
      expect(merge(fromParts(parts.now), fromParts(merged), now).collided).toEqual([])
    }),
    { numRuns: process.env['NIGHTLY'] ? 5000 : 300 },
  )
})
