import { indexOf, type SearchIndex } from './search-index.ts'

type Sources = { questions: Parameters<typeof indexOf>[0]; synonyms: Parameters<typeof indexOf>[1] }

/** Some two megabytes each at most. What nobody asked for a while is read again, which takes as long as a few searches. */
const MAX_INDEXES = 60
/** By what is searched, the one that was asked last at the end. */
const kept = new Map<string, { version: string; index: SearchIndex }>()

/** An index is kept in memory for as long as what it was made of is the same, which `version` tells. */
export async function keptIndex(
  name: string,
  version: string,
  read: () => Sources | Promise<Sources>,
): Promise<SearchIndex> {
  let one = kept.get(name)
  if (one?.version !== version) {
    const { questions, synonyms } = await read()
    one = { version, index: indexOf(questions, synonyms) }
  }
  kept.delete(name)
  kept.set(name, one)
  const [oldest] = kept.keys()
  if (kept.size > MAX_INDEXES && oldest) kept.delete(oldest)
  return one.index
}
