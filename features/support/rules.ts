/** Rules of support requests shared by server and browser (product rules section 6, spec 3 and 7.7). */

export const categories = {
  signing_in: 'Signing in',
  paying: 'Paying a bill',
  account: 'My account',
  form: 'A form or document',
  site: 'A problem with this site',
  else: 'Something else',
} as const
export type Category = keyof typeof categories
export const categoryNames = Object.keys(categories) as [Category, ...Category[]]

/** Formats an id as the displayed number, such as `S1042`. */
export const numberOf = (id: number): string => `S${id}`

/** Parses `S1042`, `s1042` or `1042` to an id. Null if the text is not a request number. */
export function idIn(text: string): number | null {
  const digits = /^s?\s?(\d{1,15})$/i.exec(text.trim())?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Initial values of the form. The server does not trust them, and the person can change them. */
export interface Prefill {
  firstName: string
  lastName: string
  email: string
  phone: string
  accountNumber: string
  address: string
  city: string
  state: string
  zipcode: string
}

/** Form fields with their query parameters (spec 7.7). `service_address[1]` is always blank. */
const parameters: readonly (readonly [keyof Prefill, string])[] = [
  ['firstName', 'customer_name[0]'],
  ['lastName', 'customer_name[1]'],
  ['accountNumber', 'customerAccountNumber'],
  ['address', 'service_address[0]'],
  ['city', 'service_address[2]'],
  ['state', 'service_address[3]'],
  ['zipcode', 'service_address[4]'],
  ['phone', 'phoneNumber'],
  ['email', 'customer_email'],
]

/**
 * Reads initial values from a query. Ignores `WhoSendsBill` and `userid`, because the host and the session identify
 * company and person.
 */
export function prefillIn(query: string): Partial<Prefill> {
  const params = new URLSearchParams(query)
  return Object.fromEntries(
    parameters.flatMap(([field, name]) => {
      const value = params.get(name)?.trim()
      return value ? [[field, value]] : []
    }),
  )
}

/** Builds the URL of an external form with all query parameters (spec 7.7). */
export function prefilledUrl(
  form: string,
  { company, userId, ...prefill }: Partial<Prefill> & { company: string; userId: string },
): string {
  const url = new URL(form)
  for (const [field, name] of parameters) url.searchParams.set(name, prefill[field] ?? '')
  url.searchParams.set('service_address[1]', '')
  url.searchParams.set('WhoSendsBill', company)
  url.searchParams.set('userid', userId)
  return url.href
}
