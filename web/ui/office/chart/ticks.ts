/**
 * Returns the values of a chart's grid lines: multiples of a round step (1, 2, 2.5 or 5 times a power of ten). They
 * include zero and enclose all values.
 */
export function ticksFor(min: number, max: number, lines = 4): number[] {
  const [low, high] = [Math.min(0, min), Math.max(0, max)]
  if (low === high) return [0, 1]
  const rough = (high - low) / lines
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10
  // The step is at least 1, because counts and cents have no fractions.
  const step = Math.max(1, Math.round(times * power))
  const from = Math.floor(low / step)
  const to = Math.ceil(high / step)
  return Array.from({ length: to - from + 1 }, (_, n) => (from + n) * step)
}

/** Chooses the points with a label. They are evenly spread and always include the last point. */
export const named = (count: number, max: number): ReadonlySet<number> => {
  const every = Math.max(1, Math.ceil(count / max))
  return new Set(Array.from({ length: count }, (_, n) => n).filter((n) => (count - 1 - n) % every === 0))
}
