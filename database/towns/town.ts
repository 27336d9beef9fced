import type { ModuleName } from '../../shared/modules.ts'

export interface DemoPerson {
  email: string
  roleId: number
  firstName: string
  lastName: string
  /** Utility accounts of this resident. */
  accounts?: readonly string[]
}

/** Household with a published account number. The number stays the same in every demo. */
export interface DemoHousehold {
  name: string
  address: string
  email: string
  /** Usage on the newest bill, in hundreds of gallons. If set, the bill is unpaid. */
  newestUse?: number
  /** True if usage was far above normal before the newest bill. */
  leaks?: true
  payer?: 'card' | 'echeck' | 'autopay' | 'mail'
}

/** Household of a utility account. All parts of the demo use the same households. */
export interface Household {
  /** Number of the utility account. */
  number: string
  name: string
  email: string
  phone: string
  address: string
  payer: string
}

/** Settings that make a demo company different from the others. */
export interface DemoCompany {
  seed: number
  /** Fields as the administrator's form sends them. */
  company: {
    companyName: string
    address: string
    city: string
    state: string
    zip: string
    phone: string
    companyWebsite: string
    subdomain: string
    timeZone: number
    online: 0 | 1
    intrigratesWithBilling: 0 | 1
    isManagedServices: 0 | 1
    officeHoursOpen: string
    officeHoursClosed: string
  }
  theme: { theme_background: string; theme_text: string; founded: number; tagline: string }
  license: string
  /**
   * Number of past days in which bank files debited the eChecks of AutoPay payers. If set, bank files are the company's
   * second provider.
   */
  bankFileDays?: number
  /** HTML. `{date}` is replaced by the date ten days from now. */
  siteWideMessage: string
  offlineMessage: string
  /** Notices of the company, each with its duration in days from today. */
  notices: readonly { location: 'landing' | 'back_office'; message: string; days: number }[]
  /** Modules that are off. All others are on. */
  modulesOff?: readonly ModuleName[]
  /** True if other demo municipalities can copy its forms and other records. */
  sharesRecords?: boolean
  /** Additional tiles after the six default tiles. */
  services: readonly { id: number; name: string; description: string; icon: string; url: string }[]
  absorbsFee: boolean
  people: readonly DemoPerson[]
  utilities: null | {
    accounts: number
    firstAccount: number
    streets: readonly string[]
    /** Households by account number. */
    households: Readonly<Record<string, DemoHousehold>>
  }
  /** Center of the map, and rotation of the streets in degrees. Null if the company has no gazetteer. */
  map: null | { lat: number; lon: number; turned: number }
  /** Locations for inspections, repairs and rentals. Without locations, the calendar stays empty. */
  locations: readonly string[]
  /** Names of the rentable resources. */
  venues: readonly string[]
}
