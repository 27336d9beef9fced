/** A company whose state is to change, and whether it has the form then. */
export interface Change {
  id: number
  name: string
  assigned: boolean
}

/** What differs from what is saved, by the company's id. */
export type Choice = Readonly<Record<string, Change>>

/** A company as the server knows it. */
export interface CompanyChoice {
  id: number
  name: string
  /** What is saved. */
  assigned: boolean
}

export const changesOf = (choice: Choice): { added: Change[]; removed: Change[] } => {
  const all = Object.values(choice).toSorted((a, b) => a.name.localeCompare(b.name, 'en-US'))
  return { added: all.filter(({ assigned }) => assigned), removed: all.filter(({ assigned }) => !assigned) }
}

/**
 * Chooses companies, or takes them back. What becomes what is saved is no change any more; an entry of the choice always
 * differs from what is saved, so that turning it over takes it out.
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
