import { globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** How many features may stand on one another. What three need from a fourth is a kit: in server/, shared/ or web/. */
const MAX_LEVELS = 4

const root = fileURLToPath(new URL('..', import.meta.url))

/** Which features each feature's files import, tests left out. */
function importsOfFeatures(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of globSync('features/*/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(file)) continue
    const [, feature = ''] = file.split(sep)
    const theirs = found.get(feature) ?? new Set()
    found.set(feature, theirs)
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /(?:from|import)\s*\(?\s*'(\.[^']+)'/g,
    )) {
      const [top, other] = join(dirname(file), path).split(sep)
      if (top === 'features' && other && other !== feature) theirs.add(other)
    }
  }
  return found
}

/** The longest chain of imports that begins here. @throws where it comes back to where it was */
function tallest(imports: Map<string, Set<string>>, feature: string, above: string[] = []): string[] {
  const chain = [...above, feature]
  if (above.includes(feature)) throw new Error(`features import each other in a ring: ${chain.join(' > ')}`)
  const chains = [...(imports.get(feature) ?? [])].map((below) => tallest(imports, below, chain))
  return chains.reduce((longest, one) => (one.length > longest.length ? one : longest), chain)
}

test(`features stand on one another in no ring, and at most ${MAX_LEVELS} floors high`, () => {
  const imports = importsOfFeatures()
  expect(imports.size).toBeGreaterThan(15)
  const chains = [...imports.keys()].map((feature) => tallest(imports, feature))
  expect(Math.max(...chains.map((chain) => chain.length))).toBeGreaterThan(1)
  expect(chains.filter((chain) => chain.length > MAX_LEVELS).map((chain) => chain.join(' > '))).toEqual([])
})
