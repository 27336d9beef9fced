import type { ResultKind } from '../shared/result-kinds.ts'
import { translated } from '../shared/messages.ts'
import type { Tx } from './tenancy.ts'
import type { Company } from './hosts.ts'

/** Page of the portal that the search can find, such as a service, a form or an item to pay. */
export interface SearchDocument {
  title: string
  /** Other phrases that people may search for. */
  alternatives?: readonly string[]
  /** Additional text on the page that the search covers. */
  text: string
  path: string
}

/** Person who searches, and the current date. */
export interface Searcher {
  company: Company
  /** Current day in the company's time zone. */
  today: string
  /** True for a signed-in resident. Guests find only public pages. */
  isSignedIn: boolean
}

/** Source of pages from one feature, for the search. */
export interface SearchSource {
  kind: ResultKind
  /** Lists all pages that this person may open. */
  all(tx: Tx, seeker: Searcher): Promise<readonly SearchDocument[]>
}

/** Declares services that all companies offer. The search uses their titles in the reader's language. */
export const declaredServices = (services: readonly SearchDocument[]): SearchSource => ({
  kind: 'services',
  all: async () =>
    services.map(({ title, text, alternatives = [], path }) => ({
      ...{ title: translated(title), text: translated(text), alternatives: alternatives.map(translated), path },
    })),
})
