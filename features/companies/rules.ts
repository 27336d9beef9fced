import * as z from 'zod/mini'
import { isState, STATE_UNKNOWN } from '../../shared/states.ts'
import { isPhone } from '../../shared/phone.ts'
import { say } from '../../shared/messages.ts'
import { cleaned } from '../../shared/typed.ts'

/** Error messages for the fields of a new company (spec 3, "Company create form", with the messages of 5.2). */
export const messages = {
  companyName: 'Company Name is required.',
  address: 'Address is required.',
  city: 'City is Required.',
  state: 'State is Required.',
  zip: 'Zipcode is Required.',
  phone: 'Phone number is Required.',
  online: 'Online Status is Required.',
  companyWebsite: 'Company website is Required.',
  subdomain: 'Subdomain is Required.',
  intrigratesWithBilling: 'Billing System intrigration is required.',
  isManagedServices: 'Managed Services Status is Required.',
} as const

export const NAME_TAKEN = 'Company Name already exists.'
export const SUBDOMAIN_TAKEN = 'Subdomain already exists.'
export const WEBSITE_INVALID = 'Company Website is not a valid URL.'

/** Subdomains reserved for current or planned uses of the platform. */
const RESERVED = ['admin', 'www', 'api', 'mail', 'gateway', 'static', 'assets', 'status', 'help', 'support']

export const isReserved = (subdomain: string): boolean => RESERVED.includes(subdomain)

/** Trims a name and collapses its spaces, as names are stored and compared. */
export const plainName = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/**
 * True if the text has only lower-case letters, digits and inner dashes, and at most 63 characters, the limit of a host
 * name's label.
 */
export const isSubdomain = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !isReserved(text)

/**
 * True if the text is a website address (spec 5.2): a domain, a dot, and a last label of 2 to 6 letters. The parts
 * http(s)://, www. and a path are optional. Takes linear time, so that no input can make the check slow.
 */
export function isWebsite(text: string): boolean {
  if (text.length > 2000 || /[\s\p{C}<>"'`]/u.test(text)) return false
  const rest = text.replace(/^https?:\/\//i, '').replace(/^www\./i, '')
  const slash = rest.search(/[/?#]/)
  const host = (slash === -1 ? rest : rest.slice(0, slash)).replace(/:\d{1,5}$/, '')
  const dot = host.indexOf('.')
  if (dot < 1) return false
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  return labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label)) && /^[a-z]{2,6}$/i.test(last)
}

export const required = (message: string, max = 200) =>
  z
    .string({ error: message })
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, { error: () => say`Use no more than ${max} characters.` }),
    )

export const yesNo = (message: string) =>
  z.pipe(
    z.union([z.literal(0), z.literal(1), z.literal('0'), z.literal('1')], { error: message }),
    z.transform((value) => Number(value) as 0 | 1),
  )

export const timeOfDay = z
  .string()
  .check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:mm, for example 14:30.'))
const time = (usual: string) => z._default(timeOfDay, usual)

export const TIMEZONE_UNKNOWN = 'Choose a time zone from the list.'

/**
 * Schema of the company form. Its fields are in the form's order, so that the first error belongs to the first wrong
 * field.
 */
export const companyForm = z.object({
  companyName: required(messages.companyName).check(z.overwrite(plainName)),
  address: required(messages.address),
  city: required(messages.city, 100),
  state: z
    .string({ error: messages.state })
    .check(
      cleaned(),
      z.minLength(1, messages.state),
      z.regex(/^[A-Z]{2}$/, 'Enter the state as two capital letters.'),
      z.refine(isState, { error: STATE_UNKNOWN }),
    ),
  zip: z
    .string({ error: messages.zip })
    .check(cleaned(), z.minLength(1, messages.zip), z.regex(/^\d{5}$/, 'Enter a 5-digit ZIP code.')),
  phone: z
    .string({ error: messages.phone })
    .check(cleaned(), z.minLength(1, messages.phone), z.refine(isPhone, { error: 'Enter a 10-digit phone number.' })),
  companyWebsite: z
    .string({ error: messages.companyWebsite })
    .check(z.trim(), z.minLength(1, messages.companyWebsite), z.refine(isWebsite, { error: WEBSITE_INVALID })),
  subdomain: z.string({ error: messages.subdomain }).check(
    cleaned(),
    z.toLowerCase(),
    z.minLength(1, messages.subdomain),
    z.refine(isSubdomain, {
      error:
        'Use only lowercase letters, digits and dashes, with no dash at the start or end. Some names, such as www, are reserved.',
    }),
  ),
  timeZone: z._default(
    z.pipe(
      z.union([z.int(), z.string().check(z.regex(/^\d{1,6}$/))], { error: TIMEZONE_UNKNOWN }),
      z.transform((value) => Number(value)),
    ),
    1,
  ),
  online: yesNo(messages.online),
  intrigratesWithBilling: yesNo(messages.intrigratesWithBilling),
  isManagedServices: yesNo(messages.isManagedServices),
  officeHoursOpen: time('08:00'),
  officeHoursClosed: time('16:30'),
})

/** The first five services of a landing page are its 'Top Services' (spec 9.1). */
export const TOP_SERVICES = 5

export interface ServiceTile {
  id: number
  name: string
  description: string
  icon: string
  url: string
}

/** Tiles of a new company's landing page, in order (spec 1). Ids are from spec 9.4 if it lists them. */
export const defaultServices: readonly ServiceTile[] = [
  {
    id: 1,
    name: 'Utility Customer Portal',
    description:
      'Pay your utility bill. View, print or download it. See one year of billing, payment and consumption data in graphs.',
    icon: 'droplets',
    url: '/utility-portal',
  },
  {
    id: 3,
    name: 'Pay a Bill',
    description: 'Taxes, parking tickets, permit fees, dog licenses and more.',
    icon: 'receipt',
    url: '/pay-bills',
  },
  {
    id: 2,
    name: 'Get Stuff Done',
    description: 'Business license, parade permit, voter registration.',
    icon: 'file-check',
    url: '/forms-documents',
  },
  {
    id: 5,
    name: 'Communicate',
    description: 'Complaints, potholes, street lights, stray dogs.',
    icon: 'message-square',
    url: '/communication',
  },
  {
    id: 4,
    name: 'Move In / Move Out',
    description: 'Set up, switch or cancel services.',
    icon: 'home',
    url: '/relocate',
  },
  {
    id: 7,
    name: 'Register',
    description: 'Sign up for emergency alerts. Register your home, family, business or property.',
    icon: 'shield',
    url: '/register-property',
  },
]
