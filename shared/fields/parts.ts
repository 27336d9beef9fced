import { same, type Values } from '../edits.ts'
import { say } from '../messages.ts'
import type { Field, FormStep } from './definition.ts'
import { nameFrom } from './mistakes.ts'

/**
 * Splits definitions into parts that are merged separately, so that two people can edit one field set. The parts are
 * the content of each step and field, the step that each field is in, and the order. If both people changed the order,
 * the last save wins, because no text is lost. Other parts are in conflict if both people changed them.
 */
export interface Editable {
  name: string
  steps: FormStep[]
}

type Parts = Record<string, unknown>
const list = (parts: Values, key: string) => (parts[key] ?? []) as string[]
const keysOf = (parts: Values, kind: string) => Object.keys(parts).filter((key) => key.startsWith(`${kind} `))
const nameIn = (key: string) => key.slice(key.indexOf(' ') + 1)

export const toParts = ({ name, steps }: Editable): Parts => ({
  name,
  order: steps.map(({ id }) => id),
  ...Object.fromEntries(
    steps.flatMap(({ fields, ...step }) => [
      [`step ${step.id}`, step],
      [`fields ${step.id}`, fields.map((field) => field.name)],
      ...fields.flatMap((field) => [
        [`field ${field.name}`, field],
        [`home ${field.name}`, step.id],
      ]),
    ]),
  ),
})

/** Rebuilds a definition from its parts. Null marks a part that was removed. */
export const fromParts = (parts: Values): Editable => ({
  name: String(parts['name']),
  steps: list(parts, 'order').flatMap((id) => {
    const stepDetails = parts[`step ${id}`] as Omit<FormStep, 'fields'> | null | undefined
    if (!stepDetails) return []
    const here = keysOf(parts, 'home').flatMap((key) => (parts[key] === id ? [nameIn(key)] : []))
    const names = [...list(parts, `fields ${id}`).filter((name) => here.includes(name)), ...here]
    const fields = [...new Set(names)].flatMap((name) => (parts[`field ${name}`] ?? []) as Field | [])
    return [{ ...stepDetails, fields }]
  }),
})

/** Converts the base, sent and stored definitions to parts that can be compared. */
export function threeParts(basis: Editable, own: Editable, now: Editable): { basis: Parts; own: Parts; now: Parts } {
  const [was, my, their] = [basis, newNames(own, basis, now), now].map(toParts) as [Parts, Parts, Parts]
  const sides = [was, my, their]
  for (const key of new Set(sides.flatMap(Object.keys)))
    if (key === 'order' || key.startsWith('fields '))
      was[key] = my[key] = their[key] = orderOf(list(was, key), list(my, key), list(their, key))
    // If only one person still has a field, the field stays in the step where that person put it.
    else if (key.startsWith('home ')) for (const side of sides) side[key] ??= was[key] ?? their[key] ?? my[key]
    else for (const side of sides) side[key] ??= null
  for (const key of keysOf(was, 'step')) {
    if (was[key] === null) continue
    // A step that one person removed stays if the other person edited its fields or moved a field into it.
    if (my[key] === null && wroteIn(their, was, key)) my[key] = their[key]
    if (their[key] === null && wroteIn(my, was, key)) was[key] = null
  }
  return { basis: was, own: my, now: their }
}

const wroteIn = (side: Parts, was: Parts, step: string): boolean =>
  keysOf(side, 'home').some((home) => {
    const field = `field ${nameIn(home)}`
    const isNew = !same(side[field], was[field]) || side[home] !== was[home]
    return side[home] === nameIn(step) && side[field] !== null && isNew
  })

/**
 * Returns the other person's order, with the entries that the sender added or moved. Each of these is placed after the
 * same entry as in the sender's order.
 */
function orderOf(was: readonly string[], own: readonly string[], others: readonly string[]): string[] {
  const stays = new Set(unmoved(was, own))
  const placed = own.filter((key) => !others.includes(key) || !stays.has(key))
  const order = others.filter((key) => !placed.includes(key))
  for (const key of placed) {
    const before = own.slice(0, own.indexOf(key)).findLast((other) => order.includes(other))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}

/** Returns the longest set of entries that stayed in the same relative order. */
function unmoved(was: readonly string[], is: readonly string[]): string[] {
  // For each entry, the longest unmoved sequence that ends with the entry.
  const runs: string[][] = []
  for (const key of is.filter((one) => was.includes(one))) {
    const best = runs
      .filter((run) => was.indexOf(run.at(-1) ?? '') < was.indexOf(key))
      .reduce((best, run) => (run.length > best.length ? run : best), [] as string[])
    runs.push([...best, key])
  }
  return runs.reduce((best, run) => (run.length > best.length ? run : best), [])
}

/**
 * Gives the sender's new fields other names if the other person used the same names, and updates the references to
 * them.
 */
function newNames(own: Editable, basis: Editable, now: Editable): Editable {
  const [was, my, their] = [basis, own, now].map(toParts) as [Parts, Parts, Parts]
  const usedNames = new Set([was, my, their].flatMap(Object.keys).map(nameIn))
  const isUsed = (key: string) => !(key in was) && key in their && !same(my[key], their[key])
  const free = (name: string, key: string): string => {
    if (!isUsed(key)) return name
    const other = nameFrom(name, usedNames)
    usedNames.add(other)
    return other
  }
  const renamed = own.steps.map((step) => ({
    ...step,
    id: isUsed(`fields ${step.id}`) ? free(step.id, `fields ${step.id}`) : free(step.id, `step ${step.id}`),
    fields: step.fields.map((field) => ({ ...field, name: free(field.name, `field ${field.name}`) })),
  }))
  let text = JSON.stringify(renamed)
  for (const [s, { fields }] of own.steps.entries())
    for (const [f, { name }] of fields.entries()) {
      const other = renamed[s]?.fields[f]?.name
      for (const before of ['"var":', '"sum":[']) text = text.replaceAll(`${before}"${name}"`, `${before}"${other}"`)
    }
  return { name: own.name, steps: JSON.parse(text) as FormStep[] }
}

/** Returns the label of a part, for the display of a conflict. */
export function partLabel(part: string, others: Values, own: Values): string {
  const name = nameIn(part)
  const itemOf = (key: string) => (others[key] ?? own[key]) as { title?: string; label?: string } | null
  if (part === 'name') return say`Name`
  if (part.startsWith('step ')) return say`Step “${itemOf(part)?.title ?? ''}”`
  const label = itemOf(`field ${name}`)?.label ?? ''
  return part.startsWith('home ') ? say`Step that contains “${label}”` : say`Field “${label}”`
}
