export const UNSTORABLE = 'The text contains a character that cannot be saved. Type the text instead of pasting it.'

const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/**
 * True if the database can store every string in the value. PostgreSQL can't store NUL or half surrogate pairs, which
 * JSON escapes can contain. The check is not recursive, so that deeply nested values can't overflow the stack.
 */
export function canBeStored(value: unknown): boolean {
  const stack = [value]
  while (stack.length > 0) {
    const next = stack.pop()
    if (typeof next === 'string' && !isKeepable(next)) return false
    if (typeof next !== 'object' || next === null) continue
    for (const [key, inner] of Object.entries(next)) {
      if (!isKeepable(key)) return false
      stack.push(inner)
    }
  }
  return true
}
