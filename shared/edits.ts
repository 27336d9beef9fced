/**
 * What happens when two people edit the same thing. A form keeps the values that it was made from (`basis`) and sends
 * them beside its own (`mine`). The server compares both with what is kept by now (`now`), field by field: what only one
 * of them changed is taken, what both changed to different values collides, and the person chooses.
 */
export type Values = Readonly<Record<string, unknown>>

/** What a form sends as its basis: the values as the server gave them, under the names that it gave them. */
export interface Collision {
  field: string
  /** What the field and both values are called, where the server knows better than the form. */
  label?: string
  words?: { mine: string; theirs: string }
  mine: unknown
  theirs: unknown
  /** Both lists in one, so that no entry is lost. */
  both?: unknown
  /** Who changed it, and when; '' where that was not written down. */
  by: string
  at: string
}

/** The details of the refusal with the code `changed_meanwhile`. */
export interface EditConflict {
  collisions: Collision[]
  /** What is kept by now: the basis of the next try. */
  now: Record<string, unknown>
  /** What the form should hold: its own values, and what others changed elsewhere in it. */
  merged: Record<string, unknown>
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const textOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? ''

/** The same value, whatever the order of its keys. */
export const same = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

/** A field that the basis does not name is taken as it was sent. */
export function mergeFields(
  basis: Values,
  mine: Values,
  now: Values,
): Pick<EditConflict, 'merged'> & { collided: Map<string, unknown> } {
  const merged: Record<string, unknown> = { ...mine }
  /** The fields that collide, each with both lists in one; null where its values are no lists. */
  const collided = new Map<string, unknown>()
  for (const [field, value] of Object.entries(mine)) {
    if (!(field in basis) || same(value, now[field]) || same(basis[field], now[field])) continue
    if (same(value, basis[field])) merged[field] = now[field]
    else {
      const lists = [basis[field], value, now[field]]
      const joined = lists.every(Array.isArray) ? mergeLists(...(lists as [unknown[], unknown[], unknown[]])) : null
      if (joined?.fits) merged[field] = joined.list
      else collided.set(field, joined?.list ?? null)
    }
  }
  return { merged, collided }
}

/**
 * Two changed lists as one: what either added is there, what either removed is gone. An entry that both changed stands
 * in it twice, and `fits` is false; so it is where both moved entries, and the order is then mine.
 */
function mergeLists(basis: unknown[], mine: unknown[], now: unknown[]): { list: unknown[]; fits: boolean } {
  const entries = new Map([...basis, ...now, ...mine].map((entry) => [textOf(entry), entry]))
  const [was, my, their] = [basis, mine, now].map((list) => [...new Set(list.map(textOf))]) as [
    string[],
    string[],
    string[],
  ]
  const without = (list: string[], others: string[]) => list.filter((entry) => !others.includes(entry))
  const bothChanged = without(was, my).some((entry) => !their.includes(entry))
  const [added, theyAdded] = [without(without(my, was), their), without(without(their, was), my)]
  const kept = was.filter((entry) => my.includes(entry) && their.includes(entry))
  const moved = (list: string[]) =>
    !same(
      list.filter((entry) => kept.includes(entry)),
      kept,
    )
  const [from, onto, gone] = moved(my)
    ? ([their, my, without(was, their)] as const)
    : ([my, their, without(was, my)] as const)
  const list = without([...onto], gone)
  for (const [at, entry] of from.entries()) {
    if (was.includes(entry) || list.includes(entry)) continue
    const before = from.slice(0, at).findLast((other) => list.includes(other))
    list.splice(before === undefined ? 0 : list.indexOf(before) + 1, 0, entry)
  }
  return {
    list: list.map((entry) => entries.get(entry)),
    fits: !(bothChanged && added.length > 0 && theyAdded.length > 0) && !(moved(my) && moved(their)),
  }
}
