import { expressionOf } from '../../shared/screens.ts'

/** Path pattern, compiled for matching. Parameters are in braces: `/guest/payment/{token}`. */
export interface Pattern<Value> {
  value: Value
  expression: RegExp
  names: readonly string[]
}

export const patternOf = <Value>(path: string, value: Value): Pattern<Value> => ({
  value,
  expression: expressionOf(path),
  names: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string),
})

export interface Match<Value> {
  value: Value
  params: Record<string, string>
}

/** Finds the route of a path, ignoring case. Fixed paths take precedence over paths with parameters. */
export function matchPath<Value>(patterns: readonly Pattern<Value>[], path: string): Match<Value> | null {
  const best = patterns
    .toSorted((a, b) => a.names.length - b.names.length)
    .flatMap((pattern) => {
      const match = pattern.expression.exec(path)
      return match ? [{ pattern, values: match.slice(1) }] : []
    })[0]
  if (!best) return null
  try {
    const { pattern, values } = best
    const params = Object.fromEntries(pattern.names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')]))
    return { value: pattern.value, params }
  } catch {
    return null // A percent sign in the path is not part of a valid escape sequence.
  }
}
