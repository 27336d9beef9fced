import type { FastifyInstance } from 'fastify'
import type { Boot } from '../shared/boot.ts'
import type { Implemented } from './call.ts'
import type { DemoPart } from './demo.ts'
import type { Finder } from './findable.ts'
import type { Host } from './hosts.ts'
import type { House } from './house.ts'
import type { MatterSource } from './matters.ts'
import type { Retention } from './retention.ts'
import type { Verify } from './verify.ts'
import type { Waiting } from './waiting.ts'

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
  origins?: (house: House, host: Host) => Promise<PageOrigins | null>
  calls?: readonly Implemented[]
  /** Routes that are no calls: papers, pictures, what other systems post to us. */
  mount?: readonly ((app: FastifyInstance, house: House) => void)[]
  /** Defines its jobs. */
  jobs?: (house: House) => void
  /** What it writes into each page, so that its first paint needs no call. */
  boot?: (house: House, host: Host) => Promise<Partial<Boot>>
  /** Which of its rows are taken away by themselves, and when. */
  retention?: readonly Retention[]
  /** What of it residents find by the portal's search. */
  findable?: readonly Finder[]
  /** What of it a resident has under way. */
  matters?: readonly MatterSource[]
  /** What of it waits for staff, said on their first screen. */
  waiting?: readonly Waiting[]
  /** What `npm run verify` looks through. */
  verify?: Verify
  /** Its part of the demo towns. */
  demo?: () => Promise<{ demo: DemoPart }>
}
