import { minifySync, type Rolldown } from 'vite'

type Module = Pick<Rolldown.ModuleInfo, 'code' | 'dynamicallyImportedIds' | 'importedIds'>
type FindModule = (id: string) => Module | null

interface ChunkOptions {
  /** Entry modules of the pages. Residents load no code that only the office needs. */
  pages: { residents: readonly string[]; office: readonly string[] }
  /** Entry modules of pages without a limit. */
  unlimited: readonly string[]
  /** Screens with the most important sizes. */
  important: RegExp
  /** Modules of other groups. */
  except: RegExp
  /** Modules with imports that the build mostly removes. Their imports do not count. */
  unfollowed: RegExp
  /** Maximum number of files that a screen loads, except those of other groups. */
  maxFiles: number
}

/** Modules in one file. */
interface Chunk {
  modules: string[]
  bytes: number
  /** For each screen: 1 if it loads the file. */
  loads: Uint8Array
  isOffice: boolean
  /** True for the module of a page, screen or other part that the browser loads by name. It has its own file. */
  isPart: boolean
  /** All chunks that the modules import, directly or not. */
  imports: Set<Chunk>
}

interface Screen {
  needed: ReadonlySet<string>
  isOffice: boolean
  weight: number
  /** Bytes that the screen needs. */
  bytes: number
  /** Bytes that the screen loads needlessly, because a file has modules of other screens. */
  wasted: number
}

interface Plan {
  chunks: Set<Chunk>
  screens: readonly Screen[]
  weights: Float64Array
  /** For each screen: needless bytes that it may load instead of one more file. */
  bytesForFile: Float64Array
}

/** Weights of the first files of a page, of important screens, of other screens, and of parts of screens. */
const WEIGHTS = { page: 12, important: 200, screen: 1, part: 0.2 }
/**
 * Needless bytes that a screen may load instead of one more file. `over`: if the screen has too many files. The result
 * of the joins depends much on their order, so the build tries several values and uses the best plan.
 */
const BYTES_FOR_FILE = [
  { normal: 100, over: 200 },
  { normal: 100, over: 300 },
  { normal: 150, over: 200 },
  { normal: 150, over: 300 },
  { normal: 200, over: 400 },
  { normal: 250, over: 350 },
  { normal: 250, over: 500 },
  { normal: 300, over: 300 },
  { normal: 300, over: 600 },
  { normal: 350, over: 450 },
  { normal: 400, over: 400 },
  { normal: 500, over: 500 },
  { normal: 600, over: 600 },
  { normal: 800, over: 800 },
] as const
/** Share of its bytes that a screen may load needlessly. Screens with too many files may load more. */
const MAX_WASTE = 0.15
/** Largest share for the screens with the most important sizes. */
const IMPORTANT_WASTE = 0.026

interface JoinLimits {
  /** The join must save more bytes than this. */
  min: number
  /** Largest share of needless bytes after the join, for each screen. */
  maxWaste: number
}

/**
 * Returns the group of all modules that several screens share. Without it, each set of screens with common modules has
 * a file, so that a screen loads up to a hundred small files. The group joins files that mostly the same screens load.
 */
export function sharedChunks(options: ChunkOptions): Rolldown.CodeSplittingGroup {
  const included = new Set<string>()
  let names: Map<string, string> | undefined
  return {
    debugName: 'shared',
    test: (id) => {
      if (!options.except.test(id)) included.add(id)
      return included.has(id)
    },
    name: (id, context) => {
      names ??= planChunks(included, (each) => context.getModuleInfo(each), options)
      return names.get(id)
    },
    // The plan has a file for each module, without cycles.
    includeDependenciesRecursively: false,
  }
}

/** Returns the name of the shared file of each module. Modules of only one screen or page have none. */
export function planChunks(
  included: ReadonlySet<string>,
  find: FindModule,
  options: ChunkOptions,
): Map<string, string> {
  const sizes = new Map([...included].map((id) => [id, minifySync(`${id}.js`, find(id)?.code ?? '').code.length]))
  const plans = BYTES_FOR_FILE.map((bytesForFile) => {
    const plan = planOf(sizes, find, options)
    joinSimilar(plan, bytesForFile.normal)
    joinToLimit(plan, options.maxFiles, bytesForFile)
    return plan
  })
  const [plan] = plans.toSorted((a, b) => wasteOf(a) - wasteOf(b))
  if (!plan) return new Map()
  const shared = [...plan.chunks].filter(({ isPart }) => !isPart)
  return new Map(shared.flatMap(({ modules }, index) => modules.map((id) => [id, `shared-${index}`])))
}

/** Returns the module with all modules that it imports. */
function importsOf(id: string, find: FindModule, unfollowed: RegExp): Set<string> {
  const result = new Set([id])
  for (const each of result)
    if (!unfollowed.test(each)) for (const next of find(each)?.importedIds ?? []) result.add(next)
  return result
}

/** Returns the modules that a page can load later: its screens and other parts. */
function partsOf(page: string, find: FindModule): Set<string> {
  const parts = new Set<string>()
  const result = new Set([page])
  for (const each of result) {
    const module = find(each)
    for (const next of module?.dynamicallyImportedIds ?? []) parts.add(next)
    for (const next of [...(module?.importedIds ?? []), ...(module?.dynamicallyImportedIds ?? [])]) result.add(next)
  }
  return parts
}

/** Returns a plan with a chunk for each set of screens that shares modules, and one for each part. */
function planOf(sizes: ReadonlyMap<string, number>, find: FindModule, options: ChunkOptions): Plan {
  const imports = new Map<string, Set<string>>()
  const importsFrom = (id: string) => {
    const existing = imports.get(id) ?? importsOf(id, find, options.unfollowed)
    imports.set(id, existing)
    return existing
  }
  const screenOf = (page: string, part: string, isOffice: boolean): Screen => {
    const first = importsFrom(page)
    const later = new Set([...first].flatMap((id) => find(id)?.dynamicallyImportedIds ?? []))
    const needed = first.union(importsFrom(part))
    const bytes = [...needed].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
    const weight =
      WEIGHTS[options.important.test(part) ? 'important' : part === page ? 'page' : later.has(part) ? 'screen' : 'part']
    return { needed, isOffice, weight, bytes, wasted: 0 }
  }
  const screens = Object.entries(options.pages).flatMap(([audience, pages]) =>
    pages.flatMap((page) => [page, ...partsOf(page, find)].map((part) => screenOf(page, part, audience === 'office'))),
  )
  for (const page of options.unlimited) for (const part of [page, ...partsOf(page, find)]) importsFrom(part)
  const users = new Map<string, number>()
  for (const ids of imports.values()) for (const id of ids) users.set(id, (users.get(id) ?? 0) + 1)
  const chunks = new Map<string, Chunk>()
  const owners = new Map<string, Chunk>()
  for (const [id, bytes] of sizes) {
    const isPart = imports.has(id)
    if (!isPart && (users.get(id) ?? 0) < 2) continue
    const loads = Uint8Array.from(screens, ({ needed }) => Number(needed.has(id)))
    const isOffice = screens.every((screen, index) => screen.isOffice || !loads[index])
    const key = isPart ? id : loads.join('')
    const chunk = chunks.get(key) ?? { modules: [], bytes: 0, loads, isOffice, isPart, imports: new Set() }
    chunks.set(key, chunk)
    chunk.modules.push(id)
    chunk.bytes += bytes
    owners.set(id, chunk)
  }
  for (const [id, chunk] of owners)
    for (const imported of importsOf(id, find, options.unfollowed)) {
      const owner = owners.get(imported)
      if (owner && owner !== chunk) chunk.imports.add(owner)
    }
  const weights = Float64Array.from(screens, ({ weight }) => weight)
  return { chunks: new Set(chunks.values()), screens, weights, bytesForFile: new Float64Array(screens.length) }
}

/** Returns a number that is larger if screens load more needless bytes, above all if few screens load most of them. */
const wasteOf = ({ screens }: Plan): number =>
  screens.reduce((sum, { weight, wasted, bytes }) => sum + weight * (wasted / bytes) ** 2, 0)

/** Returns the bytes that a screen without the chunk loads with it. */
function bytesWith(chunk: Chunk, index: number): number {
  let { bytes } = chunk
  for (const each of chunk.imports) if (!each.loads[index]) bytes += each.bytes
  return bytes
}

/**
 * Returns the bytes that a join saves over all screens. A file less counts as some bytes, and needless bytes count more
 * for a screen that has many. Returns null if the join saves at most `min`, or if a screen would waste too much.
 */
function savedBy(a: Chunk, b: Chunk, plan: Plan, { min, maxWaste }: JoinLimits): number | null {
  const { screens, weights, bytesForFile } = plan
  let saved = 0
  for (let index = 0; index < weights.length; index++)
    if (a.loads[index]) saved += (weights[index] ?? 0) * (b.loads[index] ? (bytesForFile[index] ?? 0) : -b.bytes)
    else if (b.loads[index]) saved -= (weights[index] ?? 0) * a.bytes
  if (saved <= min || !canJoin(a, b)) return null
  for (const [index, screen] of screens.entries()) {
    const inA = a.loads[index]
    if (Boolean(inA) === Boolean(b.loads[index])) continue
    const other = inA ? b : a
    const waste = bytesWith(other, index)
    const share = (screen.wasted + waste) / screen.bytes
    if (share > (screen.weight >= WEIGHTS.important ? IMPORTANT_WASTE : maxWaste)) return null
    saved -= screen.weight * (waste * (1 + ((10 * share) / MAX_WASTE) ** 2) - other.bytes)
    if (saved <= min) return null
  }
  return saved
}

/** True if the chunks can be one file that imports no file which imports it. */
function canJoin(a: Chunk, b: Chunk): boolean {
  if (a === b || a.isPart || b.isPart || a.isOffice !== b.isOffice) return false
  for (const each of a.imports) if (each !== b && each.imports.has(b)) return false
  for (const each of b.imports) if (each !== a && each.imports.has(a)) return false
  return true
}

/** Moves the modules of `b` into `a`. */
function join({ chunks, screens }: Plan, a: Chunk, b: Chunk): void {
  for (const [index, screen] of screens.entries())
    if (Boolean(a.loads[index]) !== Boolean(b.loads[index])) screen.wasted += bytesWith(a.loads[index] ? b : a, index)
  chunks.delete(b)
  a.modules.push(...b.modules)
  a.bytes += b.bytes
  for (const each of b.imports) a.imports.add(each)
  for (const each of [a, b]) a.imports.delete(each)
  const loads = a.loads.map((load, index) => load | (b.loads[index] ?? 0))
  for (const chunk of [a, ...a.imports]) chunk.loads = chunk.loads.map((load, index) => load | (loads[index] ?? 0))
  for (const chunk of chunks) {
    if (!chunk.imports.delete(b) && !chunk.imports.has(a)) continue
    chunk.imports.add(a)
    for (const each of a.imports) chunk.imports.add(each)
  }
}

/** Joins each chunk with the most similar one, smallest first, while a join costs screens less than it saves. */
function joinSimilar(plan: Plan, bytesForFile: number): void {
  plan.bytesForFile.fill(bytesForFile)
  let count: number
  do {
    count = plan.chunks.size
    for (const chunk of [...plan.chunks].toSorted((a, b) => a.bytes - b.bytes)) {
      if (!plan.chunks.has(chunk)) continue
      const pair = bestPair(plan, [chunk], plan.chunks, { min: 0, maxWaste: MAX_WASTE })
      if (pair) join(plan, ...pair)
    }
  } while (plan.chunks.size < count)
}

/** Joins chunks of the screen with the most files, at the lowest cost, until each screen loads at most `maxFiles`. */
function joinToLimit(plan: Plan, maxFiles: number, bytesForFile: { normal: number; over: number }): void {
  const done = new Set<number>()
  for (;;) {
    const counts = plan.screens.map((_, index) =>
      done.has(index) ? 0 : [...plan.chunks].filter(({ loads }) => loads[index]).length,
    )
    const max = Math.max(0, ...counts)
    if (max <= maxFiles) return
    for (const [index, count] of counts.entries())
      plan.bytesForFile[index] = bytesForFile[count > maxFiles ? 'over' : 'normal']
    const index = counts.indexOf(max)
    const own = [...plan.chunks].filter(({ loads }) => loads[index])
    let pair: [Chunk, Chunk] | null = null
    for (let maxWaste = MAX_WASTE; !pair && maxWaste < 1; maxWaste *= 1.1)
      pair = bestPair(plan, own, own, { min: -Infinity, maxWaste })
    if (pair) join(plan, ...pair)
    else done.add(index)
  }
}

/** Returns the pair of chunks with the best join that saves more than `min`. */
function bestPair(
  plan: Plan,
  ones: Iterable<Chunk>,
  others: Iterable<Chunk>,
  { min, maxWaste }: JoinLimits,
): [Chunk, Chunk] | null {
  let best: [Chunk, Chunk] | null = null
  let max = min
  for (const a of ones)
    for (const b of others) {
      const saved = savedBy(a, b, plan, { min: max, maxWaste })
      if (saved === null) continue
      best = [a, b]
      max = saved
    }
  return best
}
