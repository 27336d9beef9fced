import type { FastifyInstance } from 'fastify'
import type { BootData } from '../shared/boot.ts'
import type { ModuleName } from '../shared/modules.ts'
import type { Handler } from './call.ts'
import type { FormPost } from './form-posts.ts'
import type { ContentKind } from './contents.ts'
import type { DemoPart } from './demo.ts'
import type { SearchSource } from './findable.ts'
import type { Lookup } from './lookups.ts'
import type { Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import type { Pack } from './packs.ts'
import type { OngoingItemSource } from './ongoing-items.ts'
import type { Retention } from './retention.ts'
import type { SetupStep } from './setup.ts'
import type { Verify } from './verify.ts'
import type { AwaitingStaff, OpenRecords } from './pending-work.ts'

/**
 * Other sites that the Content Security Policy allows for scripts, frames and calls. Scripts from these sites may also
 * open browser wallets.
 */
export interface PageOrigins {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly calls: readonly string[]
}

/**
 * Server part of a feature, declared in `features/x/feature.ts` and listed in `portal/server.ts`. Other declarations (a
 * case, notice, state machine, attachment use, limit or payable) load with the call that needs them.
 */
export interface Feature {
  /** Module that the feature belongs to. While it is off, its calls, routes and pages are closed. */
  module?: ModuleName
  /** Returns the other sites that the pages of a host use. Null if the feature uses none. */
  origins?: (context: AppContext, host: Host) => Promise<PageOrigins | null>
  calls?: readonly Handler[]
  /** Forms that also work without JavaScript. */
  formPosts?: readonly FormPost[]
  /** Routes that are not calls: documents, images, webhooks from other systems. */
  mount?: readonly ((app: FastifyInstance, context: AppContext) => void)[]
  jobs?: (context: AppContext) => void
  /** Loads data that is included in each page, so that the page can first render without a call. */
  boot?: (context: AppContext, host: Host) => Promise<Partial<BootData>>
  /** Retention rules for automatic deletion. */
  retention?: readonly Retention[]
  /** Sources of the results in the residents' portal search. */
  findable?: readonly SearchSource[]
  /** Searches for records in the command bar of staff. */
  lookups?: readonly Lookup[]
  /** Sources of a resident's open items. */
  ongoingItems?: readonly OngoingItemSource[]
  /** Steps of setting up a municipality. */
  setup?: readonly SetupStep[]
  /** Records that staff still complete while the module is off. */
  openRecords?: OpenRecords
  /** Sources of the counts of submissions that await staff. Staff see the counts on their first screen. */
  awaitingStaff?: readonly AwaitingStaff[]
  /** Starter packs of items that the feature owns. A declared pack appears on the screen Starter Packs. */
  packs?: readonly Pack[]
  /** Kinds of records that staff build, with their contents for files, copies and newer texts. */
  contents?: readonly ContentKind[]
  /** Checks of `npm run verify`. */
  verify?: Verify
  demo?: () => Promise<{ demo: DemoPart }>
}
