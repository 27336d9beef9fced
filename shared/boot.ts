/** Data that the server writes into a page, as JSON in `<script id="boot">`. With it, the first paint needs no call. */

export interface BootCompany {
  id: number
  name: string
  subdomain: string
  /** 1 online, 0 offline (specification 3). */
  isOnline: 0 | 1
  /** URL of the logo. Null shows the company's seal. */
  logoUrl: string | null
  timeZone: string
  /** First month of its fiscal year, 1 to 12. */
  fiscalMonth: number
  city: string | null
  state: string | null
  /** One line under the municipality's name. If empty, the product's own line is shown. */
  tagline: string
  /** The company's explanation for being offline. May be empty. */
  offlineMessage: string
  /** Extra fact that a guest enters with account number and ZIP code. */
  guestFact: 'none' | 'last_name' | 'last_bill'
}

/** A landing tile (specification 2.8). */
export interface BootService {
  id: number
  name: string
  description: string
  /** Null shows a cog, an empty name shows no icon (specification 2.8). */
  icon: string | null
  url: string
  is_active: 0 | 1
  /** The company's text for the tile's button. May be empty. */
  button_text: string
}

/** The company's lines in the citizen footer (specification 2.7). */
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

/** A dated notice that the platform shows on every company's site. The server omits expired ones. */
export interface BootAnnouncement {
  id: string
  place: 'landing' | 'guide'
  title: string
  text: string
  /** Last day that it is shown, YYYY-MM-DD. */
  until: string
}

/** A company in the directory of the bare host. */
export interface BootDirectoryEntry {
  name: string
  url: string
  city: string | null
  state: string | null
  logoUrl: string | null
  /** Colors of the company's own theme. */
  colors: { deep: string; tint: string }
}

/** An active alert, for the banner of each page. */
export interface BootAlert {
  id: number
  severity: string
  headline: string
  /** Empty if the alert is in English only. */
  headlineEs: string
  sentAt: string
}

/** Another notice above each page, such as a payment outage. */
export interface BootNotice {
  says: string
  /** Text of the notice's link. */
  label: string
  path: string
}

export interface BootData {
  /** Kind of host: a company's, the administrator's, or the bare host with its directory. */
  site: 'town' | 'admin' | 'directory'
  /** Null if the host's first label matches no company. */
  company: BootCompany | null
  directory: BootDirectoryEntry[]
  alerts: BootAlert[]
  notices: BootNotice[]
  /** Origin of the bare host, which lists the companies. */
  directoryUrl: string
  /** Specification 7.2, `GET /app/settings`. */
  settings: { server_name: string; environment: string; app_version: string }
  /** Origin of the payment gateway's hosted fields. */
  gatewayUrl: string
  /** Today's date in the company's time zone, YYYY-MM-DD. */
  today: string
  announcements: BootAnnouncement[]
  topServices: BootService[]
  otherServices: BootService[]
  /** The company's modules. A header link is shown if its URL is among the active ones. */
  components: { url: string; is_active: 0 | 1 }[]
  /** Sanitized by the server. */
  siteWideMessage: string
  footer: BootFooter | null
  support: { phone: string; formUrl: string | null }
  /** The portal's own PDFs. Null omits the link. */
  documents: { privacy: string | null; terms: string | null; helpGuide: string | null }
  /** '2024-MS UX/UI' (specification 9.1). */
  version: string
  /** The reader's language and the URL of its catalog. English is in the source and needs none. */
  locale: string
  languageUrl: string | null
  /** True for a demo, which saves its emails for the super administrator. */
  demo: boolean
}

/** Boot data without a company: for the design page, and as the fallback for missing values. */
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
