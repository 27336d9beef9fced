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

/** Steps of features above in the load of a company's rentals. */
interface RentalDemoSteps {
  /** Runs before the reservations, which avoid the times that it takes. */
  beforeReservations?: (tx: Tx, at: RentalDemo) => Promise<void>
  /** Runs after the reservations, and before their payments. */
  afterReservations?: (tx: Tx, at: RentalDemo) => Promise<void>
  /** Runs after the transaction of the reservations. */
  afterCommit?: (at: RentalDemo) => Promise<void>
}

/** Filled by the demo parts of features above when they load. */
export const demoSteps: RentalDemoSteps[] = []
