import type { SearchDocument, Searcher } from '../../../server/findable.ts'
import { isOffered } from '../../../server/modules.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResultKind } from '../../../shared/result-kinds.ts'
import { cachedIndex } from './stored-index.ts'

type OtherDocument = SearchDocument & { kind: ResultKind }

/**
 * Lists other pages that the person searching may open, feature by feature. Excludes modules that the company has
 * turned off.
 */
export async function allFindable({ findable }: AppContext, tx: Tx, seeker: Searcher): Promise<OtherDocument[]> {
  const all: OtherDocument[] = []
  // Runs sequentially, because a transaction runs one query at a time.
  for (const { kind, all: read } of findable) all.push(...(await read(tx, seeker)).map((one) => ({ ...one, kind })))
  return all.filter(({ path }) => isOffered(seeker.company, path))
}

/** Maximum number of matches for each type of page. More would hide the other types. */
const MAX_PER_KIND = 4
/** Minimum score of a match, as a fraction of the best score. A match far below the best score is irrelevant. */
const NEAR_BEST = 0.6

/** Returns the pages that match the typed text, the best of each type first. */
export async function searchOthers(
  context: AppContext,
  tx: Tx,
  seeker: Searcher,
  text: string,
): Promise<OtherDocument[]> {
  const { company, today, isSignedIn } = seeker
  const all = await allFindable(context, tx, seeker)
  const synonyms = await tx.selectFrom('faq_synonym').select('terms').where('company_id', '=', company.id).execute()
  const index = await cachedIndex(`pages:${company.id}:${isSignedIn}`, JSON.stringify([all, synonyms]), () => ({
    questions: all.map(({ title, text, alternatives = [] }, id) => ({
      ...{ id, question: title, otherWordings: alternatives, answer: text, from: null, until: null },
    })),
    synonyms: synonyms.map(({ terms }) => terms),
  }))
  const { matches } = index.search(text, today, all.length)
  const minScore = NEAR_BEST * (matches[0]?.score ?? 0)
  const left = new Map<ResultKind, number>()
  return matches.flatMap(({ id, score }) => {
    const one = all[id]
    const many = left.get(one?.kind ?? 'services') ?? 0
    if (!one || score < minScore || many === MAX_PER_KIND) return []
    left.set(one.kind, many + 1)
    return [one]
  })
}
