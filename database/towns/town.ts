export interface DemoPerson {
  email: string
  roleId: number
  firstName: string
  lastName: string
  /** Utility accounts of this resident. */
  accounts?: readonly string[]
}

/** Household with a published account number, which stays the same in every demo. */
export interface DemoHousehold {
  name: string
  address: string
  email: string
  /** Unpaid usage of the newest bill, in tenths of a thousand gallons. */
  newestUse?: number
  /** True if usage was far above normal before the newest bill. */
  leaks?: true
  payer?: 'card' | 'echeck' | 'autopay' | 'mail'
}

/** Household of a utility account, shared by the whole demo. */
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
   * Number of days for which bank files have debited the eChecks of AutoPay payers. If set, bank files are the second
   * provider.
   */
  bankFileDays?: number
  /** HTML. `{date}` becomes the day ten days from now. */
  siteWideMessage: string
  offlineMessage: string
  /** Notices of the company, each with its duration in days from today. */
  notices: readonly { location: 'landing' | 'back_office'; message: string; days: number }[]
  /** Active modules. All modules are active if absent. */
  modules?: readonly string[]
  /** Additional tiles after the six default tiles. */
  services: readonly { id: number; name: string; description: string; icon: string; url: string }[]
  absorbsFee: boolean
  people: readonly DemoPerson[]
  utilities: null | {
    accounts: number
    firstAccount: number
    streets: readonly string[]
    /** By account number. */
    households: Readonly<Record<string, DemoHousehold>>
  }
  /** Center of the map, and rotation of the streets in degrees. Null if the company has no gazetteer. */
  map: null | { lat: number; lon: number; turned: number }
  /** Places for inspections, repairs and rentals. Without places, the calendar stays empty. */
  locations: readonly string[]
  /** Rentable resources. */
  venues: readonly string[]
}
