import type { Demo } from '../../server/demo.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'

export interface RentalDemo {
  demo: Demo
  company: CompanyId
  subdomain: string
  timeZone: string
  /** Ids of the company's resources, by name. */
  resources: ReadonlyMap<string, number>
}

/** Demo steps of features that depend on rentals, run while a company's rentals load. */
interface RentalDemoSteps {
  /** Runs before the reservations are added, so that they avoid the times reserved here. */
  beforeReservations?: (tx: Tx, at: RentalDemo) => Promise<void>
  /** Runs after the reservations are added, and before their payments. */
  afterReservations?: (tx: Tx, at: RentalDemo) => Promise<void>
  /** Runs after the transaction that adds the reservations. */
  afterCommit?: (at: RentalDemo) => Promise<void>
}

/** Demo steps of features that depend on rentals. Each feature adds its steps when it loads. */
export const demoSteps: RentalDemoSteps[] = []
