import { rejected, type Refusal } from '../errors.ts'

interface UniqueViolation {
  /** Name of the unique index in the database. */
  index: string
  /** Form field that shows the message. */
  field: string
  message: string
}

const declared = new Map<string, UniqueViolation>()

/**
 * Declares the error message for a name, number or code that is already taken. No code checks this in advance, because
 * two parallel calls could both pass the check. The unique index refuses the second call.
 */
export function defineUnique(...violations: UniqueViolation[]): void {
  for (const one of violations) declared.set(one.index, one)
}

export const uniqueIndexes = (): string[] => [...declared.keys()]

/** Converts the database's unique violation (23505) to its declared message. Null if no message is declared. */
export function refusalOfViolation({ code, constraint }: { code?: string; constraint?: string }): Refusal | null {
  const violation = code === '23505' && constraint !== undefined ? declared.get(constraint) : undefined
  return violation ? rejected(violation.message, { [violation.field]: violation.message }) : null
}
