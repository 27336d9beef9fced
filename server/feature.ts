import type { FastifyInstance } from 'fastify'
import type { BootData } from '../shared/boot.ts'
import type { Handler } from './call.ts'
import type { DemoPart } from './demo.ts'
import type { SearchSource } from './findable.ts'
import type { Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import type { OngoingItemSource } from './ongoing-items.ts'
import type { Retention } from './retention.ts'
import type { Verify } from './verify.ts'
import type { AwaitingStaff } from './waiting.ts'

/** Origins besides ours, of which the policy of a page lets scripts, frames and calls come. Wallets may be asked by its scripts. */
export interface PageOrigins {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly calls: readonly string[]
}

/**
 * What a feature brings to the server: the one thing that `features/x/feature.ts` says, and `portal/server.ts` lists.
 * What a kit's `define…` declares (a case, a notice, a machine of states, a use of files, a limit, what can be paid) is
 * known as soon as the call that needs it is in here.
 */
export interface Feature {
  /** Other origins that a host's pages load from, where the feature has some there. */
  origins?: (context: AppContext, host: Host) => Promise<PageOrigins | null>
  calls?: readonly Handler[]
  /** Routes that are no calls: papers, pictures, what other systems post to us. */
  mount?: readonly ((app: FastifyInstance, context: AppContext) => void)[]
  /** Defines its jobs. */
  jobs?: (context: AppContext) => void
  /** What it writes into each page, so that its first paint needs no call. */
  boot?: (context: AppContext, host: Host) => Promise<Partial<BootData>>
  /** Which of its rows are taken away by themselves, and when. */
  retention?: readonly Retention[]
  /** What of it residents find by the portal's search. */
  findable?: readonly SearchSource[]
  /** What of it a resident has under way. */
  matters?: readonly OngoingItemSource[]
  /** What of it waits for staff, said on their first screen. */
  waiting?: readonly AwaitingStaff[]
  /** What `npm run verify` looks through. */
  verify?: Verify
  /** Its part of the demo towns. */
  demo?: () => Promise<{ demo: DemoPart }>
}
