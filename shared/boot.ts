/**
 * Data that the server writes into a page, as JSON in `<script id="boot">`. With this data, the first paint needs no
 * API call.
 */

export interface BootCompany {
  id: number
  name: string
  subdomain: string
  /** 1 online, 0 offline (spec 3). */
  isOnline: 0 | 1
  /** URL of the logo. If null, pages show the company's seal. */
  logoUrl: string | null
  timeZone: string
  /** First month of the company's fiscal year, 1 to 12. */
  fiscalMonth: number
  city: string | null
  state: string | null
  /** Line under the municipality's name. If empty, pages show the product's default line. */
  tagline: string
  /** Company's explanation for being offline. May be empty. */
  offlineMessage: string
  /** Additional information that a guest must enter with the account number and ZIP code. */
  guestFact: 'none' | 'last_name' | 'last_bill'
}

/** Tile on the landing page (spec 2.8). */
export interface BootService {
  id: number
  name: string
  description: string
  /** Icon name. Null shows a cog, and an empty name shows no icon (spec 2.8). */
  icon: string | null
  url: string
  is_active: 0 | 1
  /** Label of the tile's button, as the company wrote it. May be empty. */
  button_text: string
}

/** Company's lines in the footer of resident pages (spec 2.7). */
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

/** Notice from the platform, shown on every company's site until a date. The server omits expired notices. */
export interface BootAnnouncement {
  id: string
  location: 'landing' | 'guide'
  title: string
  text: string
  /** Last day of the notice, YYYY-MM-DD. */
  until: string
}

/** Entry for a company in the directory, which is on the host without a subdomain. */
export interface BootDirectoryEntry {
  name: string
  url: string
  city: string | null
  state: string | null
  logoUrl: string | null
  /** Colors of the company's own theme. */
  colors: { deep: string; tint: string }
}

/** Active alert, for the banner on each page. */
export interface BootAlert {
  id: number
  severity: string
  headline: string
  /** Spanish headline. Empty if the alert is in English only. */
  headlineEs: string
  sentAt: string
}

/** Notice at the top of each page about something other than an alert, such as a payment outage. */
export interface BootNotice {
  text: string
  /** Label of the notice's link. */
  label: string
  path: string
}

/** Response of a call that the server made for a page, so that the browser does not make it. */
export interface BootResponse {
  /** Path of the call, and its body as the screen sends it. */
  path: string
  body: object
  response: unknown
}

/** Name of the hidden entry with the path of a form's call. It tells the forms of a page apart. */
export const FORM_CALL = 'formCall'

/** Form that a browser without JavaScript sent, for the page that shows its outcome. */
export interface SentForm {
  /** Path of the form's call. */
  call: string
  /** Entries by field name. */
  values: Record<string, string>
  /** Response of the call. Null if the call was refused. */
  response: unknown
  refusal: { message: string; fields: Record<string, string> } | null
}

/** A module that is off. */
export interface BootModuleOff {
  name: string
  /** Paths of its closed screens, as in `shared/screens.ts`. */
  closed: string[]
  /** Paths of its screens for emailed links, for money owed, and for staff who complete open records. */
  finishing: string[]
}

export interface BootData {
  /** Type of host: a company's, the administrator's, or the host without a subdomain, which has the directory. */
  site: 'company' | 'admin' | 'directory'
  /** Null if the host's first label matches no company. */
  company: BootCompany | null
  directory: BootDirectoryEntry[]
  alerts: BootAlert[]
  notices: BootNotice[]
  /** Origin of the host without a subdomain, which lists the companies. */
  directoryUrl: string
  /** Settings of the server (spec 7.2, `GET /app/settings`). */
  settings: { server_name: string; environment: string; app_version: string }
  /** Origin of the payment gateway's hosted fields. */
  gatewayUrl: string
  /** Today's date in the company's time zone, YYYY-MM-DD. */
  today: string
  announcements: BootAnnouncement[]
  topServices: BootService[]
  otherServices: BootService[]
  /** Modules of the company. The header shows a link only if its URL belongs to an active module. */
  components: { url: string; is_active: 0 | 1 }[]
  modulesOff: BootModuleOff[]
  /** HTML of the message. The server has sanitized it. */
  siteWideMessage: string
  footer: BootFooter | null
  support: { phone: string; formUrl: string | null }
  /** URLs of the portal's own PDFs. If a URL is null, pages omit the link. */
  documents: { privacy: string | null; terms: string | null; helpGuide: string | null }
  /** Version text: '2024-MS UX/UI' (spec 9.1). */
  version: string
  /**
   * Reader's language and the URL of its message catalog. English needs no catalog, because the English texts are in
   * the source code.
   */
  locale: string
  languageUrl: string | null
  /** Responses for a visitor without a session. Empty unless the server renders the page for each request. */
  responses: BootResponse[]
  /** Null unless the page follows a form that was sent without JavaScript. */
  sentForm: SentForm | null
  /** Idempotency key of the page's form, if it works without JavaScript and creates a record. Otherwise ''. */
  formKey: string
  /** True for a demo. A demo saves its emails, so that the super administrator can read them. */
  demo: boolean
}

/** Boot data without a company: for the design page, and as the fallback for missing values. */
export const emptyBoot: BootData = {
  site: 'company',
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
  modulesOff: [],
  siteWideMessage: '',
  footer: null,
  support: { phone: '', formUrl: null },
  documents: { privacy: null, terms: null, helpGuide: null },
  version: '2024-MS UX/UI',
  locale: 'en',
  languageUrl: null,
  responses: [],
  sentForm: null,
  formKey: '',
  demo: false,
}
