import type { Pool } from 'pg'
import type { Scanner } from './attachments/scanner.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Files } from './files.ts'
import type { SearchSource } from './findable.ts'
import type { OngoingItemSource } from './ongoing-items.ts'
import type { AwaitingStaff } from './waiting.ts'
import type { Hosts } from './hosts.ts'
import type { Jobs } from './jobs.ts'
import type { Live } from './live.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail.ts'
import type { SmsProvider } from './sms/provider.ts'
import type { VoiceProvider } from './voice/provider.ts'
import type { Secrets } from './secrets.ts'
import type { Retention } from './retention.ts'
import type { AcrossCompanies, InCompany, Tx } from './tenancy.ts'

/** What every call and job stands on. Made once in `app.ts`. */
export interface AppContext {
  config: Config
  clock: Clock
  log: Log
  hosts: Hosts
  live: Live
  jobs: Jobs
  mailer: Mailer
  /** Carries texts to phones. */
  sms: SmsProvider
  /** Calls phones. */
  voice: VoiceProvider
  files: Files
  /** Looks for viruses in what people send. */
  scanner: Scanner
  /** Seals what the database must not show to whoever reads it. */
  secrets: Secrets
  inCompany: InCompany
  /** The same for what only reads, as every list and every session does: the database refuses anything else. */
  readingCompany: InCompany
  /** Reference and local tables, with the application's rights. */
  outside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** All towns at once. Named features of the administrator portal, and doors for jobs, alone. */
  acrossCompanies: AcrossCompanies
  /** The same for what only reads. */
  readingAll: AcrossCompanies
  /** Connections that are not pipelined, for COPY and long reports; the application's rights. */
  streams: Pool
  /** The platform's, likewise: exports over all towns, of the administrator portal's named features alone. */
  platformStreams: Pool
  /** Which rows are taken away by themselves, and when. */
  retention: readonly Retention[]
  /** What residents find beside questions and answers. */
  findable: readonly SearchSource[]
  matters: readonly OngoingItemSource[]
  /** What of all that residents sent waits for staff. */
  waiting: readonly AwaitingStaff[]
  /** Calls back when the portal stops. Answers how to leave that list. */
  onStop: (callback: () => void) => () => void
}
