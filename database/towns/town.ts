import type { CompanyForm } from '../../features/companies/server/create-company.ts'
import type { ServiceTile } from '../../features/companies/rules.ts'

export interface DemoPerson {
  email: string
  roleId: number
  firstName: string
  lastName: string
  /** Utility accounts of this resident. */
  accounts?: readonly string[]
}

/** A household whose account number is told to people, so that it always looks the same. */
export interface KnownHousehold {
  name: string
  address: string
  email: string
  /** Tenths of a thousand gallons on the newest bill, which is not paid yet. */
  newestUse?: number
  payer?: 'card' | 'echeck' | 'autopay' | 'mail'
}

/** Everything that makes a demo town this one and no other. */
export interface DemoTown {
  seed: number
  company: CompanyForm
  look: { theme_background: string; theme_text: string; founded: number; tagline: string }
  license: string
  /** HTML; `{date}` becomes a day ten days ahead. */
  siteWideMessage: string
  offlineMessage: string
  /** The town's own notices and for how many days from today they stand. */
  notices: readonly { place: 'landing' | 'back_office'; message: string; days: number }[]
  /** Modules that the town has; the others are inactive. */
  modules: readonly string[]
  /** Tiles after the six of every town. */
  services: readonly ServiceTile[]
  absorbsFee: boolean
  people: readonly DemoPerson[]
  utilities: null | {
    accounts: number
    firstAccount: number
    streets: readonly string[]
    /** By account number. */
    known: Readonly<Record<string, KnownHousehold>>
  }
  /** Where it lies, and by how many degrees its streets are turned; null: it has no gazetteer. */
  map: null | { lat: number; lon: number; turned: number }
  /** Places where things are inspected, repaired and rented; none leaves the calendar empty. */
  places: readonly string[]
  /** What residents can rent. */
  venues: readonly string[]
}
