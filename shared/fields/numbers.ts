/** Maximum number of digits. No question needs more, and numbers of this length are exact. */
const MAX_DIGITS = 12
const DECIMALS = 10_000

/** Reads a number as people type it: `1,234.5`. Null if it is not a number. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
  if (!new RegExp(`^[-\\u2212]?(?:\\d{1,${MAX_DIGITS}}(?:\\.\\d{0,4})?|\\.\\d{1,4})$`).test(plain)) return null
  // `|| 0` replaces negative zero, which would be written as 0 and read back as a different number.
  return Number(plain.replace('\u2212', '-')) || 0
}

export const decimalsOf = (value: number): number => (String(value).split('.')[1] ?? '').length

/**
 * Multiplies a count by a price in cents and rounds half up to whole cents. Uses integers, because in floating point
 * 1.005 times 100 is less than 100.5.
 */
export function timesCents(count: number, each: number): number {
  const parts = BigInt(Math.round(count * DECIMALS)) * BigInt(each)
  const half = BigInt(DECIMALS / 2)
  const up = parts + half
  const floor = up / BigInt(DECIMALS)
  return Number(up < 0n && up % BigInt(DECIMALS) !== 0n ? floor - 1n : floor)
}
