import type { FoundKind } from '../shared/found-kinds.ts'
import { translated } from '../shared/words.ts'
import type { Tx } from './tenancy.ts'
import type { Company } from './hosts.ts'

/** A page of the portal that somebody may look for: a service, a form, something to pay. */
export interface SearchDocument {
  title: string
  /** How else people ask for it, each as they would type it. */
  askedAs?: readonly string[]
  /** More words of it. */
  says: string
  path: string
}

/** Who looks, and when. */
export interface Searcher {
  company: Company
  /** The town's day. */
  today: string
  /** A resident who is signed in; a guest finds what guests may see. */
  isSignedIn: boolean
}

/** What a feature brings to the residents' search. */
export interface SearchSource {
  kind: FoundKind
  /** All that this person could open. */
  all(tx: Tx, seeker: Searcher): Promise<readonly SearchDocument[]>
}

/** Services that each town has alike: declared once, found in the reader's language. */
export const declaredServices = (services: readonly SearchDocument[]): SearchSource => ({
  kind: 'services',
  all: async () =>
    services.map(({ title, says, askedAs = [], path }) => ({
      ...{ title: translated(title), says: translated(says), askedAs: askedAs.map(translated), path },
    })),
})
