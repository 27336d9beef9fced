/** What the server writes into a page, as JSON in `<script id="boot">`, so that the first paint needs no call. */

export interface BootCompany {
  id: number
  name: string
  subdomain: string
  /** 1 online, 0 offline (specification 3). */
  isOnline: 0 | 1
  /** Where the logo is served from; null draws the town's seal. */
  logoUrl: string | null
  timeZone: string
  /** The month, 1 to 12, in which its fiscal year begins. */
  fiscalMonth: number
  city: string | null
  state: string | null
  /** One line under the town's name; empty takes the product's own. */
  tagline: string
  /** Why an offline town is offline, in its own words; may be empty. */
  offlineMessage: string
  /** What a guest is asked besides account number and ZIP code. */
  guestFact: 'none' | 'last_name' | 'last_bill'
}

/** A landing tile (specification 2.8). */
export interface BootService {
  id: number
  name: string
  description: string
  /** Null draws a cog, the empty name no icon (specification 2.8). */
  icon: string | null
  url: string
  is_active: 0 | 1
  /** What stands on the tile to be pressed, in the town's words; may be empty. */
  button_text: string
}

/** The town's own lines in the citizen footer (specification 2.7). */
export interface BootFooter {
  name: string
  address1: string | null
  address2: string | null
  city: string | null
  state: string | null
  zipcode: string | null
  phone_no: string | null
  website_url: string | null
}

/** A dated notice that the provider shows in every town; the server leaves out what is past its end date. */
export interface BootAnnouncement {
  id: string
  place: 'landing' | 'guide'
  title: string
  text: string
  /** The last day it is shown, YYYY-MM-DD. */
  until: string
}

/** A town in the directory of the bare host. */
export interface BootDirectoryEntry {
  name: string
  url: string
  city: string | null
  state: string | null
  logoUrl: string | null
  /** Of its own theme. */
  colours: { deep: string; tint: string }
}

/** An alert that is in force, for the banner of each page. */
export interface BootAlert {
  id: number
  severity: string
  headline: string
  /** Empty: it is said in English alone. */
  headlineEs: string
  sentAt: string
}

/** What else is said above each page: that payments are out, say. */
export interface BootNotice {
  says: string
  /** Of the way on. */
  label: string
  path: string
}

export interface BootData {
  /** The host's kind: a town's, the administrator's, or the bare host with its directory. */
  site: 'town' | 'admin' | 'directory'
  /** Null where the host's first label names no town. */
  company: BootCompany | null
  directory: BootDirectoryEntry[]
  /** The gravest first. */
  alerts: BootAlert[]
  notices: BootNotice[]
  /** The bare host's origin, which lists the towns. */
  directoryUrl: string
  /** Specification 7.2, `GET /app/settings`. */
  settings: { server_name: string; environment: string; app_version: string }
  /** The origin of the payment gateway's hosted fields. */
  gatewayUrl: string
  /** Today's date in the town's time zone, YYYY-MM-DD. */
  today: string
  announcements: BootAnnouncement[]
  topServices: BootService[]
  otherServices: BootService[]
  /** The company's modules; a header link shows when its url is among the active ones. */
  components: { url: string; is_active: 0 | 1 }[]
  /** Sanitized by the server. */
  siteWideMessage: string
  footer: BootFooter | null
  support: { phone: string; formUrl: string | null }
  /** PDFs of our own; null leaves the link out. */
  documents: { privacy: string | null; terms: string | null; helpGuide: string | null }
  /** '2024-MS UX/UI' (specification 9.1). */
  version: string
  /** The reader's language, and where its catalogue is; English stands in the source and needs none. */
  locale: string
  languageUrl: string | null
  /** A demo keeps its mails, for the super administrator to read. */
  demo: boolean
}

/** The portal where nothing is known yet: what the design page shows, and what a missing value falls back to. */
export const emptyBoot: BootData = {
  site: 'town',
  company: null,
  directory: [],
  alerts: [],
  notices: [],
  directoryUrl: '',
  settings: { server_name: 'Unknown', environment: 'Unknown', app_version: 'Unknown' },
  gatewayUrl: '',
  today: '1970-01-01',
  announcements: [],
  topServices: [],
  otherServices: [],
  components: [],
  siteWideMessage: '',
  footer: null,
  support: { phone: '', formUrl: null },
  documents: { privacy: null, terms: null, helpGuide: null },
  version: '2024-MS UX/UI',
  locale: 'en',
  languageUrl: null,
  demo: false,
}
