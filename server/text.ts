export const UNKEEPABLE = 'A text holds a character that cannot be kept. Type it instead of pasting it.'

const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/**
 * True if the database can store every text in the value. NUL and half surrogate pairs (possible in JSON escapes)
 * cannot be stored. Not recursive, so depth has no limit.
 */
export function canBeStored(value: unknown): boolean {
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
