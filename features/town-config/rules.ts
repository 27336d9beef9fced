/**
 * Complete configuration of a company by sections (spec 3, "Company config template"). Form validation, server checks,
 * export, import and history texts all use these schemas. Amounts are integer cents, flags are 1 and 0, times are HH:mm
 * and dates are YYYY-MM-DD.
 */
import { serviceNames } from '../alerts/contract-settings.ts'
import * as z from 'zod/mini'
import { isPhone } from '../../shared/phone.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { decent } from '../../shared/decency.ts'
import { gsmOf, isGsm } from '../../shared/gsm.ts'
import { cents } from '../../shared/money.ts'
import { type AreaName, may, type Permission, type Privileges } from '../../shared/privileges.ts'
import { say } from '../../shared/messages.ts'
import { type ModuleUrl, moduleUrls } from '../../shared/modules.ts'
import { guestProofs } from '../utility-accounts/rules.ts'
import { companyForm, required, timeOfDay, TIMEZONE_UNKNOWN, yesNo } from '../companies/rules.ts'
import { cleaned } from '../../shared/typed.ts'

/** Flag from a checkbox, a select element or a file. */
const flag = z.pipe(
  z.union([z.boolean(), z.literal(0), z.literal(1), z.literal('0'), z.literal('1')], { error: 'Choose Yes or No.' }),
  z.transform((value) => (Number(value) === 1 ? 1 : 0) as 0 | 1),
)

const text = (max: number) =>
  z
    .string({ error: say`Enter text.` })
    .check(
      z.trim(),
      z.maxLength(max, { error: () => say`Use no more than ${max.toLocaleString('en-US')} characters.` }),
    )

const amount = (max: number, text: string) =>
  z.int({ error: 'Enter an amount, such as 25.00.' }).check(z.minimum(0, text), z.maximum(max, text))

export const MAX_TAGS = 20
const typedTags = z.pipe(
  z.union([z.array(z.string()), z.string()], { error: 'Separate tags with commas.' }),
  z.transform((value) =>
    (typeof value === 'string' ? value.split(',') : value).map((tag) => tag.trim()).filter((tag) => tag !== ''),
  ),
)
const tags = z.pipe(
  typedTags,
  z
    .array(z.string().check(z.maxLength(40, 'Each tag can have up to 40 characters.')))
    .check(z.maxLength(MAX_TAGS, { error: () => say`You can add up to ${MAX_TAGS} tags.` })),
)

const maybePhone = z.refine<string>((text) => text === '' || isPhone(text), { error: 'Enter a 10-digit phone number.' })

const { companyName, address, city, state, zip, phone, companyWebsite, subdomain } = companyForm.shape

const NOTICE_DAYS = 'Enter a number of days from 1 to 30.'
const MONTH_UNKNOWN = 'Choose a month.'

const details = z.object({
  name: companyName,
  subdomain,
  license_no: text(60),
  address1: address,
  address2: text(200),
  city,
  state,
  zipcode: zip,
  phone_no: phone,
  website_url: companyWebsite,
  timezone_id: z.pipe(
    z.union([z.int(), z.string().check(z.regex(/^\d{1,6}$/, TIMEZONE_UNKNOWN))], { error: TIMEZONE_UNKNOWN }),
    z.transform((value) => Number(value)),
  ),
  // Default for versions that were saved before this setting existed.
  fiscal_month: z._default(
    z.pipe(
      z
        .union([z.int(), z.string().check(z.regex(/^\d{1,2}$/, MONTH_UNKNOWN))], { error: MONTH_UNKNOWN })
        .check(z.refine((value) => Number(value) >= 1 && Number(value) <= 12, MONTH_UNKNOWN)),
      z.transform((value) => Number(value)),
    ),
    1,
  ),
  is_online: yesNo('Online Status is Required.'),
  offline_msg: text(500).check(decent),
  use_dbilling: yesNo('Billing System intrigration is required.'),
  is_managed_services: yesNo('Managed Services Status is Required.'),
  // Default for versions that were saved before this setting existed.
  online_reserved: z._default(flag, 0),
  has_chk_agnst_prcl: flag,
  is_demo: flag,
  tags,
})

const hours = z.object({ office_hours_open: timeOfDay, office_hours_closed: timeOfDay }).check(
  z.refine((day) => day.office_hours_open < day.office_hours_closed, {
    error: 'Enter a closing time that is later than the opening time.',
    path: ['office_hours_closed'],
  }),
)

/** `locked` lists the modules that only the platform turns on or off. */
const moduleSection = z.object({
  // Defaults for versions that were saved before a module could be turned off or locked.
  ...(Object.fromEntries(moduleUrls.map((url) => [url, z._default(flag, 1)])) as Record<
    ModuleUrl,
    z.ZodMiniDefault<typeof flag>
  >),
  locked: z._default(z.array(z.enum(moduleUrls)), []),
})

export const MAX_TILES = 30
/** Path within the portal for a tile, with an optional query. Two leading slashes would lead to another host. */
const route = text(200).check(
  z.regex(
    /^\/(?![/\\])[\w\-./?=&%+]*$/,
    'Enter a path in this portal. Start with a slash, for example /utility-portal.',
  ),
)

const tile = z.object({
  name: required('Enter the name of the tile.', 60).check(decent),
  desc: text(200).check(decent),
  active: flag,
  route,
  image: text(40),
  button_text: text(40).check(decent),
})

const tiles = z.object({
  tiles: z
    .array(tile)
    .check(z.maxLength(MAX_TILES, { error: () => say`A landing page can have up to ${MAX_TILES} tiles.` })),
})

const color = z
  .string({ error: 'Enter a color as #rrggbb, such as #324c96.' })
  .check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, 'Enter a color as #rrggbb, such as #324c96.'))

/** `logo` is the path of an uploaded image. If the path is empty, pages show the default seal. */
const theme = z.object({ background_color: color, text_color: color, logo: text(200) })

export const MAX_MESSAGE = 20_000
const message = z.object({ tagline: text(160).check(decent), site_wide_message: text(MAX_MESSAGE) })

const payments = z
  .object({
    min_payment: z.int({ error: 'Enter an amount, such as 5.00.' }).check(z.minimum(1, 'Enter at least $0.01.')),
    max_payment: cents,
    is_pay_in_full: flag,
    autopay_enabled: flag,
    // Defaults for versions that were saved before these two settings existed.
    autopay_notice_days: z._default(
      z.pipe(
        z
          .union([z.int(), z.string().check(z.trim(), z.regex(/^\d{1,2}$/, NOTICE_DAYS))], { error: NOTICE_DAYS })
          .check(z.refine((value) => Number(value) >= 1 && Number(value) <= 30, NOTICE_DAYS)),
        z.transform((value) => Number(value)),
      ),
      7,
    ),
    autopay_mandate: z._default(text(3000).check(decent), ''),
    has_pay_by_phone: flag,
    pay_by_phone_number: z
      .string({ error: 'Enter a 10-digit phone number.' })
      .check(cleaned(), z.maxLength(30), maybePhone),
    ivr_user_pin_enabled: flag,
    has_card_reader: flag,
    has_tele_check: flag,
    only_usd_currency: flag,
    receive_payment_emails: flag,
    // Default for versions that were saved before this setting existed.
    guest_proof: z._default(z.enum(guestProofs, { error: 'Choose an option from the list.' }), 'none'),
    refund_limit: z._default(amount(100_000_000, 'Enter an amount from $0.00 to $1,000,000.00.'), 25_000),
  })
  .check(
    z.refine((value) => value.max_payment >= value.min_payment, {
      error: 'Enter an amount that is at least the smallest payment.',
      path: ['max_payment'],
    }),
    z.refine((value) => value.has_pay_by_phone === 0 || value.pay_by_phone_number !== '', {
      error: 'Enter the pay-by-phone number.',
      path: ['pay_by_phone_number'],
    }),
  )

/** Labels of the facts that a guest may have to enter, in addition to account number and ZIP code. */
export const guestFactNames: Record<(typeof guestProofs)[number], string> = {
  none: 'No additional proof',
  last_name: 'Last name on the bill',
  last_bill: 'Amount of the last bill',
}

/** Month names by number, for the month in which the fiscal year starts. */
export const monthNames: Readonly<Record<number, string>> = Object.fromEntries(
  'January February March April May June July August September October November December'
    .split(' ')
    .map((month, at) => [at + 1, month]),
)

/** Validation messages of the processor form (spec 5.3). */
export const processorMessages = {
  company: 'Company is required - if you see this something bad happened.',
  selectedProcessor: 'A processor is required.',
  primaryStaff: 'Primary Staff is required.',
  secondaryStaff: 'Secondary Staff is required.',
} as const

/** Builds the schema for an id from a select element. */
const chosen = (text: string) =>
  z.pipe(
    z.union([z.int().check(z.minimum(1, text)), z.string().check(z.regex(/^[1-9]\d{0,14}$/, text))], { error: text }),
    z.transform((value) => Number(value)),
  )

/** Schema of the processor form (spec 2.15 and 5.3). */
export const processorForm = z
  .object({
    company: chosen(processorMessages.company),
    selectedProcessor: chosen(processorMessages.selectedProcessor),
    primaryStaff: chosen(processorMessages.primaryStaff),
    secondaryStaff: chosen(processorMessages.secondaryStaff),
  })
  .check(
    z.refine(({ primaryStaff, secondaryStaff }) => primaryStaff !== secondaryStaff, {
      error: 'Choose two different people.',
      path: ['secondaryStaff'],
    }),
  )

/** Person from a select element or a file. The empty choice is null. */
const person = z.pipe(
  z.union([z.null(), z.int(), z.literal(''), z.string().check(z.regex(/^[1-9]\d{0,14}$/))]),
  z.transform((value) => (value === null || value === '' ? null : Number(value))),
)
const processors = z.object({ processor_id: z.int(), primary_contact: person, secondary_contact: person }).check(
  z.refine(
    ({ primary_contact, secondary_contact }) => primary_contact === null || primary_contact !== secondary_contact,
    {
      error: 'Choose two different people.',
      path: ['secondary_contact'],
    },
  ),
)

const MAX_ANNOUNCEMENTS = 20
const announcements = z.object({
  announcements: z
    .array(
      z.object({
        location: z.enum(['landing', 'back_office'], { error: 'Choose where to show the announcement.' }),
        message: required('Enter the text of the announcement.', 300).check(decent),
        until: isoDate,
      }),
    )
    .check(z.maxLength(MAX_ANNOUNCEMENTS, { error: () => say`You can add up to ${MAX_ANNOUNCEMENTS} announcements.` })),
})

const MAX_CONTACTS = 30
const contacts = z.object({
  contacts: z
    .array(
      z.object({
        name: required('Enter the name of the contact.', 80),
        title: text(80),
        phone: z.string().check(cleaned(), z.maxLength(30), maybePhone),
        email: z
          .string()
          .check(
            cleaned(),
            z.maxLength(200),
            z.regex(/^(?:|[^\s@]+@[^\s@]+\.[^\s@]+)$/, 'Enter an email address, such as office@example.gov.'),
          ),
      }),
    )
    .check(z.maxLength(MAX_CONTACTS, { error: () => say`You can add up to ${MAX_CONTACTS} contacts.` })),
})

const MAX_NAME = 40
const SAME_TIME_HINT = 'Enter a time, such as 21:00.'
const time = z.string({ error: SAME_TIME_HINT }).check(z.trim(), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, SAME_TIME_HINT))

/** Text message settings. Equal start and end times turn off quiet hours. */
const texts = z.object({
  texts_payments: flag,
  texts_conversations: flag,
  quiet_from: time,
  quiet_to: time,
  sms_name: text(MAX_NAME).check(
    decent,
    z.refine((name) => isGsm(gsmOf(name)), {
      error:
        'Use only digits, common punctuation and letters without accents. One other character can double or triple the cost of each text message.',
    }),
  ),
  sms_number: z.string({ error: 'Enter a 10-digit phone number.' }).check(cleaned(), z.maxLength(30), maybePhone),
})

/** Sharing of records that staff built. */
const sharing = z.object({ shares_records: flag })

/** Schemas of the sections, in the order of the screen. */
export const sectionSchemas = {
  ...{ details, hours, modules: moduleSection, tiles, theme, message },
  ...{ payments, processors, alerts: serviceNames, texts, announcements, contacts },
  sharing,
} as const

/** Form field names of the details and hours settings in the slide-out (spec 2.14). */
export const pencilFields = {
  ...{ companyName: 'name', address: 'address1', city: 'city', state: 'state', zip: 'zipcode', phone: 'phone_no' },
  ...{ companyWebsite: 'website_url', subdomain: 'subdomain', timeZone: 'timezone_id', online: 'is_online' },
  ...{ intrigratesWithBilling: 'use_dbilling', isManagedServices: 'is_managed_services' },
  ...{ officeHoursOpen: 'office_hours_open', officeHoursClosed: 'office_hours_closed' },
} as const satisfies Partial<Record<keyof typeof companyForm.shape, string>>

export type Section = keyof typeof sectionSchemas
export type ConfigOf<S extends Section> = z.output<(typeof sectionSchemas)[S]>
export type CompanyConfig = { [S in Section]: ConfigOf<S> }

export const sections = Object.keys(sectionSchemas) as [Section, ...Section[]]

/**
 * Settings that a transfer copies to another company, by section. A transfer does not copy other settings, such as
 * identity, location, online status, own texts, phone numbers and people. A setting added in a later release is not
 * copied unless it is listed here.
 */
const transferable: { [S in Section]?: 'all' | readonly (keyof ConfigOf<S>)[] } = {
  details: ['fiscal_month', 'use_dbilling', 'is_managed_services', 'has_chk_agnst_prcl'],
  ...{ hours: 'all', modules: moduleUrls, tiles: 'all', alerts: 'all' },
  theme: ['background_color', 'text_color'],
  payments: [
    ...(['min_payment', 'max_payment', 'is_pay_in_full', 'autopay_enabled', 'autopay_notice_days'] as const),
    ...(['ivr_user_pin_enabled', 'has_card_reader', 'has_tele_check', 'only_usd_currency'] as const),
    ...(['receive_payment_emails', 'guest_proof', 'refund_limit'] as const),
  ],
  texts: ['texts_payments', 'texts_conversations', 'quiet_from', 'quiet_to'],
}

/** Returns true if a transfer copies this setting to another company. */
export function isTransferable(section: Section, field: string): boolean {
  const fields: 'all' | readonly string[] = transferable[section] ?? []
  return fields === 'all' || fields.includes(field)
}

/** Selects the settings of a configuration that a transfer copies to another company. */
export function transferableOf(config: Partial<Record<Section, object>>): Partial<Record<Section, object>> {
  const parts = sections.map((section) => {
    const fields = Object.entries(config[section] ?? {}).filter(([field]) => isTransferable(section, field))
    return [section, Object.fromEntries(fields)] as const
  })
  return Object.fromEntries(parts.filter(([, fields]) => Object.keys(fields).length > 0))
}

/** Areas that settings belong to, and the levels in an area (`shared/areas.ts`). */
type Area = 'settings' | 'payments' | 'alerts'
type Level = 'view' | 'do' | 'manage'

/** Returns the privilege that a level of an area requires. */
export const settingsPrivilege = (area: Area, level: Level): readonly [AreaName, Permission] => [
  area,
  ({ view: 'view', do: 'update', manage: 'delete' } as const)[level],
]

interface SectionAccess<S extends Section> {
  area: Area
  /** Level that a change requires. Viewing requires the level “view”. */
  level: Level
  /** Settings that the municipality may change. The platform reserves all others. */
  fields: 'all' | readonly (keyof ConfigOf<S> & string)[]
}

const did = { area: 'settings', level: 'do', fields: 'all' } as const
const managed = { area: 'settings', level: 'manage', fields: 'all' } as const

/**
 * Settings that a municipality may change itself, by section. A setting added in a later release is reserved by the
 * platform unless it is listed here, or its section lists all.
 */
const municipalityAccess: { readonly [S in Section]: SectionAccess<S> } = {
  details: {
    ...did,
    fields: [
      ...(['address1', 'address2', 'city', 'state', 'zipcode', 'phone_no', 'website_url'] as const),
      ...(['offline_msg', 'fiscal_month'] as const),
    ],
  },
  ...{ hours: did, contacts: did, announcements: did, message: did, tiles: did },
  ...{ theme: managed, sharing: managed },
  modules: { ...managed, fields: moduleUrls },
  texts: { ...managed, fields: ['texts_payments', 'texts_conversations', 'quiet_from', 'quiet_to'] },
  payments: {
    ...{ area: 'payments', level: 'manage' },
    fields: [
      ...(['min_payment', 'max_payment', 'is_pay_in_full', 'guest_proof', 'refund_limit'] as const),
      ...(['autopay_enabled', 'autopay_notice_days', 'autopay_mandate', 'receive_payment_emails'] as const),
    ],
  },
  processors: { area: 'payments', level: 'manage', fields: ['primary_contact', 'secondary_contact'] },
  alerts: { area: 'alerts', level: 'manage', fields: 'all' },
}

/** Member of staff who opens the settings. Platform staff need only the area of the settings. */
export interface SettingsReader {
  isPlatform: boolean
  privileges: Privileges
}

/** Lists the sections that a person may see, in the order of the screen. */
export const sectionsFor = ({ isPlatform, privileges }: SettingsReader): Section[] =>
  sections.filter(
    (section) => isPlatform || may(privileges, ...settingsPrivilege(municipalityAccess[section].area, 'view')),
  )

/** Returns the privilege that a person lacks to change a section. Null if the person may change the section. */
export function missingToChange(section: Section, { isPlatform, privileges }: SettingsReader) {
  const { area, level } = municipalityAccess[section]
  const needed = isPlatform ? settingsPrivilege('settings', 'do') : settingsPrivilege(area, level)
  return may(privileges, ...needed) ? null : needed
}

/**
 * Lists the settings of a section that only the platform may change. Empty for platform staff.
 * @param now stored values of the section, which list the locked modules
 */
export function reservedFields(
  section: Section,
  { isPlatform }: Pick<SettingsReader, 'isPlatform'>,
  now: Readonly<Record<string, unknown>>,
): string[] {
  const { fields } = municipalityAccess[section]
  if (isPlatform || fields === 'all') return []
  const locked = section === 'modules' ? (now['locked'] as string[]) : []
  return Object.keys(sectionSchemas[section].shape).filter(
    (field) => locked.includes(field) || !(fields as readonly string[]).includes(field),
  )
}

/** Format identifier in an exported configuration file. */
export const FILE_FORMAT = 'mainstreet-town-configuration'

/** Maximum logo size in pixels. Larger images are scaled down (spec 2.20). */
export const LOGO_SIZE = { width: 800, height: 400 } as const
