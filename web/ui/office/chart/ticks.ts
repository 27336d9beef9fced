/** Where a chart draws its lines: round numbers (1, 2, 2.5 or 5 and zeros) that hold all values, zero among them. */
export function ticksFor(least: number, most: number, lines = 4): number[] {
  const [low, high] = [Math.min(0, least), Math.max(0, most)]
  if (low === high) return [0, 1]
  const rough = (high - low) / lines
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10
  // Nobody counts half a payment or half a cent.
  const step = Math.max(1, Math.round(times * power))
  const from = Math.floor(low / step)
  const to = Math.ceil(high / step)
  return Array.from({ length: to - from + 1 }, (_, n) => (from + n) * step)
}

/** Which of many points get their name written under them: evenly spread, the last one always. */
export const named = (count: number, most: number): ReadonlySet<number> => {
  const every = Math.max(1, Math.ceil(count / most))
  return new Set(Array.from({ length: count }, (_, n) => n).filter((n) => (count - 1 - n) % every === 0))
}
