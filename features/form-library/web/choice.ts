/** A company with a pending change. `assigned` is the new state. */
export interface Change {
  id: number
  name: string
  assigned: boolean
}

/** Pending changes, by company id. */
export type Choice = Readonly<Record<string, Change>>

/** A company as stored on the server. */
export interface CompanyChoice {
  id: number
  name: string
  /** True if the company has the form, as stored on the server. */
  assigned: boolean
}

export const changesOf = (choice: Choice): { added: Change[]; removed: Change[] } => {
  const all = Object.values(choice).toSorted((a, b) => a.name.localeCompare(b.name, 'en-US'))
  return { added: all.filter(({ assigned }) => assigned), removed: all.filter(({ assigned }) => !assigned) }
}

/**
 * Selects or deselects companies. An entry of the choice always differs from the stored state, so toggling it again
 * removes the entry.
 */
export function toggled(choice: Choice, companies: readonly CompanyChoice[], on: boolean): Choice {
  const next: Record<string, Change> = { ...choice }
  for (const { id, name, assigned } of companies) {
    const saved = choice[id] ? !choice[id].assigned : assigned
    if (saved === on) delete next[id]
    else next[id] = { id, name, assigned: on }
  }
  return next
}
