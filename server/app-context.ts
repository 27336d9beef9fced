import type { Pool } from 'pg'
import type { Scanner } from './attachments/scanner.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { ModuleName } from '../shared/modules.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Files } from './files.ts'
import type { SearchSource } from './findable.ts'
import type { ModuleLookup } from './lookups.ts'
import type { OngoingItemSource } from './ongoing-items.ts'
import type { AwaitingStaff, OpenRecords } from './pending-work.ts'
import type { SetupStep } from './setup.ts'
import type { Hosts } from './hosts.ts'
import type { Jobs } from './jobs.ts'
import type { Language } from './languages.ts'
import type { Live } from './live.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mailer.ts'
import type { SmsProvider } from './sms/provider.ts'
import type { VoiceProvider } from './voice/provider.ts'
import type { Secrets } from './secrets.ts'
import type { Retention } from './retention.ts'
import type { AcrossCompanies, InCompany, Tx } from './tenancy.ts'

/** Context of every call and job. Created once in `app.ts`. */
export interface AppContext {
  config: Config
  clock: Clock
  log: Log
  hosts: Hosts
  live: Live
  /** Languages other than English. Calls and jobs write text in them. */
  languages: readonly Language[]
  jobs: Jobs
  mailer: Mailer
  sms: SmsProvider
  voice: VoiceProvider
  files: Files
  scanner: Scanner
  /** Encryption of stored values that readers of the database must not see. */
  secrets: Secrets
  inCompany: InCompany
  /** Read-only form of `inCompany`, for lists and sessions. The database refuses writes. */
  readingCompany: InCompany
  /** Read-only transactions of another municipality. They show rows only while that municipality shares its records. */
  readingShared: InCompany
  /** Transactions without a company, with the application's permissions. They see only reference and local tables. */
  outside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Transactions over all companies. Only for named features of the administrator portal and for jobs. */
  acrossCompanies: AcrossCompanies
  /** Read-only form of `acrossCompanies`. */
  readingAll: AcrossCompanies
  /** Connections without pipelining for COPY and long reports, with the application's permissions. */
  streams: Pool
  /**
   * Platform connections without pipelining. Only named features of the administrator portal use them, to export data
   * of all companies.
   */
  platformStreams: Pool
  /** Retention rules for automatic deletion. */
  retention: readonly Retention[]
  /** Search sources for residents, in addition to FAQs. */
  findable: readonly SearchSource[]
  /** Searches for records in the command bar of staff, in the order of the features. */
  lookups: readonly ModuleLookup[]
  ongoingItems: readonly OngoingItemSource[]
  /** Sources of the counts of submissions that await staff. */
  awaitingStaff: readonly AwaitingStaff[]
  /** Steps of setting up a municipality, in the order of the features. */
  setup: readonly SetupStep[]
  /** Open records of the modules, which staff complete while a module is off. */
  openRecords: readonly (OpenRecords & { module: ModuleName })[]
  /** Calls of all features. */
  endpoints: readonly Endpoint[]
  /** Registers a callback for when the portal stops. Returns a function that removes the callback. */
  onStop: (callback: () => void) => () => void
}
