export const UNKEEPABLE = 'A text holds a character that cannot be kept. Type it instead of pasting it.'

const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/**
 * Can the database keep every text in this? Not NUL, and not half of a pair that makes one character (which only an
 * escape in JSON can bring). Without recursion, for values of any depth.
 */
export function canBeKept(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string' && !isKeepable(next)) return false
    if (typeof next !== 'object' || next === null) continue
    for (const [key, inner] of Object.entries(next)) {
      if (!isKeepable(key)) return false
      waiting.push(inner)
    }
  }
  return true
}
