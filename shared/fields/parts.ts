import { same, type Values } from '../edits.ts'
import { say } from '../words.ts'
import type { Field, FormStep } from './definition.ts'
import { nameFrom } from './mistakes.ts'

/**
 * What staff edit together, in parts that are merged one by one, so that two people can work on one set of fields at once:
 * the words of each step and each field, the step that each field stands in, and the order. Whoever saves last decides
 * the order, since nothing that was written is lost by it; what else both changed collides.
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
    steps.flatMap(({ fields, ...words }) => [
      [`step ${words.id}`, words],
      [`fields ${words.id}`, fields.map((field) => field.name)],
      ...fields.flatMap((field) => [
        [`field ${field.name}`, field],
        [`home ${field.name}`, words.id],
      ]),
    ]),
  ),
})

/** What is null is not there. */
export const fromParts = (parts: Values): Editable => ({
  name: String(parts['name']),
  steps: list(parts, 'order').flatMap((id) => {
    const words = parts[`step ${id}`] as Omit<FormStep, 'fields'> | null | undefined
    if (!words) return []
    const here = keysOf(parts, 'home').flatMap((key) => (parts[key] === id ? [nameIn(key)] : []))
    const names = [...list(parts, `fields ${id}`).filter((name) => here.includes(name)), ...here]
    const fields = [...new Set(names)].flatMap((name) => (parts[`field ${name}`] ?? []) as Field | [])
    return [{ ...words, fields }]
  }),
})

/** What is kept, what was sent and what that was made from, ready to be compared part by part. */
export function threeParts(basis: Editable, mine: Editable, now: Editable): { basis: Parts; mine: Parts; now: Parts } {
  const [was, my, their] = [basis, newNames(mine, basis, now), now].map(toParts) as [Parts, Parts, Parts]
  const sides = [was, my, their]
  for (const key of new Set(sides.flatMap(Object.keys)))
    if (key === 'order' || key.startsWith('fields '))
      was[key] = my[key] = their[key] = orderOf(list(was, key), list(my, key), list(their, key))
    // Whoever removed a field says nothing of where it stands.
    else if (key.startsWith('home ')) for (const side of sides) side[key] ??= was[key] ?? their[key] ?? my[key]
    else for (const side of sides) side[key] ??= null
  for (const key of keysOf(was, 'step')) {
    if (was[key] === null) continue
    // A step in which the other one wrote meanwhile stays, with what they wrote.
    if (my[key] === null && wroteIn(their, was, key)) my[key] = their[key]
    if (their[key] === null && wroteIn(my, was, key)) was[key] = null
  }
  return { basis: was, mine: my, now: their }
}

const wroteIn = (side: Parts, was: Parts, step: string): boolean =>
  keysOf(side, 'home').some((home) => {
    const field = `field ${nameIn(home)}`
    const isNew = !same(side[field], was[field]) || side[home] !== was[home]
    return side[home] === nameIn(step) && side[field] !== null && isNew
  })

/** Their order, with what I added or moved behind what I put it behind. */
function orderOf(was: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const stays = new Set(unmoved(was, mine))
  const placed = mine.filter((key) => !theirs.includes(key) || !stays.has(key))
  const order = theirs.filter((key) => !placed.includes(key))
  for (const key of placed) {
    const before = mine.slice(0, mine.indexOf(key)).findLast((other) => order.includes(other))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}

/** Those that stand in a list as they stood to each other before: as many as there can be. */
function unmoved(was: readonly string[], is: readonly string[]): string[] {
  // For each entry, the longest run that ends with it.
  const runs: string[][] = []
  for (const key of is.filter((one) => was.includes(one))) {
    const best = runs
      .filter((run) => was.indexOf(run.at(-1) ?? '') < was.indexOf(key))
      .reduce((longest, run) => (run.length > longest.length ? run : longest), [] as string[])
    runs.push([...best, key])
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), [])
}

/** Two who add something at once may have given it the same name: mine gets another one, wherever it is named. */
function newNames(mine: Editable, basis: Editable, now: Editable): Editable {
  const [was, my, their] = [basis, mine, now].map(toParts) as [Parts, Parts, Parts]
  const taken = new Set([was, my, their].flatMap(Object.keys).map(nameIn))
  const isTaken = (key: string) => !(key in was) && key in their && !same(my[key], their[key])
  const free = (name: string, key: string): string => {
    if (!isTaken(key)) return name
    const other = nameFrom(name, taken)
    taken.add(other)
    return other
  }
  const renamed = mine.steps.map((step) => ({
    ...step,
    id: isTaken(`fields ${step.id}`) ? free(step.id, `fields ${step.id}`) : free(step.id, `step ${step.id}`),
    fields: step.fields.map((field) => ({ ...field, name: free(field.name, `field ${field.name}`) })),
  }))
  let text = JSON.stringify(renamed)
  for (const [s, { fields }] of mine.steps.entries())
    for (const [f, { name }] of fields.entries()) {
      const other = renamed[s]?.fields[f]?.name
      for (const before of ['"var":', '"sum":[']) text = text.replaceAll(`${before}"${name}"`, `${before}"${other}"`)
    }
  return { name: mine.name, steps: JSON.parse(text) as FormStep[] }
}

/** What a part is called where two people changed it. */
export function partLabel(part: string, theirs: Values, mine: Values): string {
  const name = nameIn(part)
  const shown = (key: string) => (theirs[key] ?? mine[key]) as { title?: string; label?: string } | null
  if (part === 'name') return say`Name`
  if (part.startsWith('step ')) return say`Step “${shown(part)?.title ?? ''}”`
  const label = shown(`field ${name}`)?.label ?? ''
  return part.startsWith('home ') ? say`The step of “${label}”` : say`Field “${label}”`
}
