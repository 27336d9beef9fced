export interface DemoPerson {
  email: string
  roleId: number
  firstName: string
  lastName: string
  /** Utility accounts of this resident. */
  accounts?: readonly string[]
}

/** A household whose account number is told to people, so that it always looks the same. */
export interface DemoHousehold {
  name: string
  address: string
  email: string
  /** Tenths of a thousand gallons on the newest bill, which is not paid yet. */
  newestUse?: number
  /** Far more was used than usual before the newest bill. */
  leaks?: true
  payer?: 'card' | 'echeck' | 'autopay' | 'mail'
}

/** A utility account's household, as the whole demo knows it. */
export interface Household {
  /** Of the account. */
  number: string
  name: string
  email: string
  phone: string
  address: string
  payer: string
}

/** Everything that makes a demo town this one and no other. */
export interface DemoCompany {
  seed: number
  /** As the administrator's form sends it. */
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
  look: { theme_background: string; theme_text: string; founded: number; tagline: string }
  license: string
  /** Its second provider is the bank files, and for so many days they have debited the eChecks of who pays bills by themselves. */
  bankFileDays?: number
  /** HTML; `{date}` becomes a day ten days ahead. */
  siteWideMessage: string
  offlineMessage: string
  /** The town's own notices and for how many days from today they stand. */
  notices: readonly { place: 'landing' | 'back_office'; message: string; days: number }[]
  /** Modules that the town has, all of them unless told; the others are inactive. */
  modules?: readonly string[]
  /** Tiles after the six of every town. */
  services: readonly { id: number; name: string; description: string; icon: string; url: string }[]
  absorbsFee: boolean
  people: readonly DemoPerson[]
  utilities: null | {
    accounts: number
    firstAccount: number
    streets: readonly string[]
    /** By account number. */
    known: Readonly<Record<string, DemoHousehold>>
  }
  /** Where it lies, and by how many degrees its streets are turned; null: it has no gazetteer. */
  map: null | { lat: number; lon: number; turned: number }
  /** Places where things are inspected, repaired and rented; none leaves the calendar empty. */
  places: readonly string[]
  /** What residents can rent. */
  venues: readonly string[]
}
