import { globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * Maximum length of an import chain of features. If three features need code of a fourth, the code belongs in server/,
 * shared/ or web/.
 */
const MAX_LEVELS = 5

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the features that each feature imports. Ignores tests. */
function importsOfFeatures(): Map<string, Set<string>> {
  const importsByFeature = new Map<string, Set<string>>()
  for (const file of globSync('features/*/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(file)) continue
    const [, feature = ''] = file.split(sep)
    const dependencies = importsByFeature.get(feature) ?? new Set()
    importsByFeature.set(feature, dependencies)
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /(?:from|import)\s*\(?\s*'(\.[^']+)'/g,
    )) {
      const [top, other] = join(dirname(file), path).split(sep)
      if (top === 'features' && other && other !== feature) dependencies.add(other)
    }
  }
  return importsByFeature
}

/** Returns the longest import chain from this feature. @throws if the chain has a cycle */
function tallest(imports: Map<string, Set<string>>, feature: string, above: string[] = []): string[] {
  const chain = [...above, feature]
  if (above.includes(feature)) throw new Error(`features import each other in a ring: ${chain.join(' > ')}`)
  const chains = [...(imports.get(feature) ?? [])].map((below) => tallest(imports, below, chain))
  return chains.reduce((best, one) => (one.length > best.length ? one : best), chain)
}

test(`features import each other without cycles, at most ${MAX_LEVELS} levels deep`, () => {
  const imports = importsOfFeatures()
  expect(imports.size).toBeGreaterThan(15)
  const chains = [...imports.keys()].map((feature) => tallest(imports, feature))
  expect(Math.max(...chains.map((chain) => chain.length))).toBeGreaterThan(1)
  expect(chains.filter((chain) => chain.length > MAX_LEVELS).map((chain) => chain.join(' > '))).toEqual([])
})
