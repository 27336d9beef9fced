import { indexOf, type SearchIndex } from './search-index.ts'

type Sources = { questions: Parameters<typeof indexOf>[0]; synonyms: Parameters<typeof indexOf>[1] }

/**
 * Maximum number of indexes in memory, each two megabytes at most. The least recently used index is dropped, and
 * reloading it takes as long as a few searches.
 */
const MAX_INDEXES = 60
/** Cached indexes by name of the searched data. The most recently used index is last. */
const indexes = new Map<string, { version: string; index: SearchIndex }>()

/**
 * Returns the stored index if `version` is unchanged. Otherwise builds a new index from the data that `read` returns.
 */
export async function cachedIndex(
  name: string,
  version: string,
  read: () => Sources | Promise<Sources>,
): Promise<SearchIndex> {
  let one = indexes.get(name)
  if (one?.version !== version) {
    const { questions, synonyms } = await read()
    one = { version, index: indexOf(questions, synonyms) }
  }
  indexes.delete(name)
  indexes.set(name, one)
  const [oldest] = indexes.keys()
  if (indexes.size > MAX_INDEXES && oldest) indexes.delete(oldest)
  return one.index
}
