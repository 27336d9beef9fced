import type { Definition, Field, FormStep } from '../../../shared/fields/definition.ts'

/**
 * Operations on a definition. Each returns a new definition. A `NodeRef` identifies a step or field, which is a row in
 * the builder.
 */

export type NodeRef = { step: string } | { field: string }

const swap = <Item>(list: readonly Item[], from: number, to: number): Item[] => {
  const moved = [...list]
  const [item] = moved.splice(from, 1)
  if (item !== undefined) moved.splice(to, 0, item)
  return moved
}

export const stepOf = ({ steps }: Definition, field: string): FormStep | undefined =>
  steps.find(({ fields }) => fields.some(({ name }) => name === field))

/** Title of a step or label of a field. Empty if it does not exist. */
export const labelOf = (definition: Definition, node: NodeRef): string =>
  'step' in node
    ? (definition.steps.find(({ id }) => id === node.step)?.title ?? '')
    : (fieldNamed(definition, node.field)?.label ?? '')

const fieldNamed = (definition: Definition, name: string) =>
  stepOf(definition, name)?.fields.find((field) => field.name === name)

const withSteps = (definition: Definition, change: (step: FormStep) => FormStep): Definition => ({
  ...definition,
  steps: definition.steps.map(change),
})

/** Puts a field into a step, before another field or at the end. If a field of this name exists, it moves. */
export function putField(definition: Definition, field: Field, stepId: string, before: string | null): Definition {
  return withSteps(definition, (step) => {
    const others = step.fields.filter(({ name }) => name !== field.name)
    if (step.id !== stepId) return others.length === step.fields.length ? step : { ...step, fields: others }
    const at = others.findIndex(({ name }) => name === before)
    return { ...step, fields: others.toSpliced(at < 0 ? others.length : at, 0, field) }
  })
}

export const replaceField = (definition: Definition, field: Field): Definition =>
  withSteps(definition, (step) => ({
    ...step,
    fields: step.fields.map((other) => (other.name === field.name ? field : other)),
  }))

export const replaceStep = (definition: Definition, step: FormStep): Definition =>
  withSteps(definition, (other) => (other.id === step.id ? step : other))

export const remove = (definition: Definition, node: NodeRef): Definition =>
  'step' in node
    ? { ...definition, steps: definition.steps.filter(({ id }) => id !== node.step) }
    : withSteps(definition, (step) => ({ ...step, fields: step.fields.filter(({ name }) => name !== node.field) }))

/**
 * Moves a row one position up or down. A field can move into the adjacent step. Null if the row cannot move further.
 */
export function moveBy(definition: Definition, node: NodeRef, by: 1 | -1): Definition | null {
  const { steps } = definition
  if ('step' in node) {
    const from = steps.findIndex(({ id }) => id === node.step)
    return steps[from + by] === undefined ? null : { ...definition, steps: swap(steps, from, from + by) }
  }
  const step = stepOf(definition, node.field)
  const field = fieldNamed(definition, node.field)
  if (!step || !field) return null
  const at = step.fields.indexOf(field)
  if (step.fields[at + by] !== undefined)
    return replaceStep(definition, { ...step, fields: swap(step.fields, at, at + by) })
  const next = steps[steps.indexOf(step) + by]
  return next ? putField(definition, field, next.id, by === 1 ? (next.fields[0]?.name ?? null) : null) : null
}

/**
 * Moves a row before or after the row that it is dropped on. A step moves before or after the step that contains the
 * target row.
 */
export function moveTo(definition: Definition, node: NodeRef, target: NodeRef, where: 'before' | 'after'): Definition {
  const { steps } = definition
  const onto = 'step' in target ? steps.find(({ id }) => id === target.step) : stepOf(definition, target.field)
  if (!onto) return definition
  if ('step' in node) {
    const moved = steps.find(({ id }) => id === node.step)
    if (!moved || moved === onto) return definition
    const others = steps.filter((step) => step !== moved)
    return { ...definition, steps: others.toSpliced(others.indexOf(onto) + (where === 'after' ? 1 : 0), 0, moved) }
  }
  const field = fieldNamed(definition, node.field)
  if (!field) return definition
  if ('step' in target) {
    // A field dropped before a step's heading goes to the end of the previous step.
    const above = where === 'before' ? steps[steps.indexOf(onto) - 1] : undefined
    return above
      ? putField(definition, field, above.id, null)
      : putField(definition, field, onto.id, onto.fields.find(({ name }) => name !== field.name)?.name ?? null)
  }
  if (target.field === field.name) return definition
  const at = onto.fields.findIndex(({ name }) => name === target.field)
  const next =
    where === 'before' ? target.field : onto.fields.slice(at + 1).find(({ name }) => name !== field.name)?.name
  return putField(definition, field, onto.id, next ?? null)
}
