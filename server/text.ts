export const UNKEEPABLE = 'A text holds a character that cannot be kept. Type it instead of pasting it.'

/**
 * Can the database keep every text in this? Not NUL, and not half of a pair that makes one character (which only an
 * escape in JSON can bring).
 */
export function canBeKept(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => canBeKept(key) && canBeKept(inner))
}
