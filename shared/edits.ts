/**
 * Merges parallel edits. A form sends the values that it opened with (`basis`) and its new values (`own`). The server
 * compares both with the stored values (`now`), field by field. If only one person changed a field, that change is
 * saved. If two people set different values, the field is in conflict, and the person who saves chooses one.
 */
export type Values = Readonly<Record<string, unknown>>

/** Field that two people changed to different values. */
export interface FieldConflict {
  field: string
  /** Label of the field and display texts of both values. Set only if the server has better texts than the form. */
  label?: string
  texts?: { own: string; others: string }
  own: unknown
  others: unknown
  /** Merged list with the entries of both people, so that no entry is lost. Set only if both values are lists. */
  both?: unknown
  /** Person who made the other change, and the time of that change. '' if not recorded. */
  by: string
  at: string
}

/** Details of the error with the code `edit_conflict`. */
export interface EditConflict {
  fieldConflicts: FieldConflict[]
  /** Stored values, which become the basis of the next attempt. */
  now: Record<string, unknown>
  /** Values that the form should show: its own values, plus other people's changes to other fields. */
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

/** True if both values are equal. The order of object keys does not matter. */
export const same = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

/** Merges two edits field by field. A field that is missing from the basis is saved as sent. */
export function mergeFields(
  basis: Values,
  own: Values,
  now: Values,
): Pick<EditConflict, 'merged'> & { collided: Map<string, unknown> } {
  const merged: Record<string, unknown> = { ...own }
  /** Fields in conflict, each with its merged list. Null if the values are not lists. */
  const collided = new Map<string, unknown>()
  for (const [field, value] of Object.entries(own)) {
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
 * Merges two changed lists. Both people's additions stay, and both people's removals apply. If both changed the same
 * entry, both versions stay and `fits` is false. If both moved entries, `fits` is false and the sender's order is used.
 */
function mergeLists(basis: unknown[], own: unknown[], now: unknown[]): { list: unknown[]; fits: boolean } {
  const entries = new Map([...basis, ...now, ...own].map((entry) => [textOf(entry), entry]))
  const [was, my, their] = [basis, own, now].map((list) => [...new Set(list.map(textOf))]) as [
    string[],
    string[],
    string[],
  ]
  const without = (list: string[], others: string[]) => list.filter((entry) => !others.includes(entry))
  const bothChanged = without(was, my).some((entry) => !their.includes(entry))
  const [added, theyAdded] = [without(without(my, was), their), without(without(their, was), my)]
  const common = was.filter((entry) => my.includes(entry) && their.includes(entry))
  const moved = (list: string[]) =>
    !same(
      list.filter((entry) => common.includes(entry)),
      common,
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
