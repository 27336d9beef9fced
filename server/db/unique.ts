import { rejected, type Refusal } from '../errors.ts'

interface UniqueViolation {
  /** The unique index, by its name in the database. */
  index: string
  /** The field of the form under which the sentence stands. */
  field: string
  sentence: string
}

const declared = new Map<string, UniqueViolation>()

/**
 * Says what whoever wants a name, a number or a code a second time is told. Nobody asks before writing whether it is
 * free: two at once would both find it free, and the index refuses the second one anyway.
 */
export function defineUnique(...taken: UniqueViolation[]): void {
  for (const one of taken) declared.set(one.index, one)
}

export const uniqueIndexes = (): string[] => [...declared.keys()]

/** What the database's refusal of a second one (23505) means to a person, or null where it is not declared. */
export function refusalOfTaken({ code, constraint }: { code?: string; constraint?: string }): Refusal | null {
  const taken = code === '23505' && constraint !== undefined ? declared.get(constraint) : undefined
  return taken ? rejected(taken.sentence, { [taken.field]: taken.sentence }) : null
}
