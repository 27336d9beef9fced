import type { FoundKind } from '../shared/found-kinds.ts'
import { translated } from '../shared/words.ts'
import type { Tx } from './tenancy.ts'
import type { Company } from './hosts.ts'

/** Page of the portal in the search: a service, a form, an item to pay. */
export interface SearchDocument {
  title: string
  /** Other search phrases, as people would type them. */
  alternatives?: readonly string[]
  /** More searchable text. */
  says: string
  path: string
}

/** Searching person and date. */
export interface Searcher {
  company: Company
  /** The company's day. */
  today: string
  /** True for a signed-in resident. Guests find only public pages. */
  isSignedIn: boolean
}

/** Search source of a feature. */
export interface SearchSource {
  kind: FoundKind
  /** Lists all pages that this person could open. */
  all(tx: Tx, seeker: Searcher): Promise<readonly SearchDocument[]>
}

/** Declares services that all companies offer. The search uses their titles in the reader's language. */
export const declaredServices = (services: readonly SearchDocument[]): SearchSource => ({
  kind: 'services',
  all: async () =>
    services.map(({ title, says, alternatives = [], path }) => ({
      ...{ title: translated(title), says: translated(says), alternatives: alternatives.map(translated), path },
    })),
})
