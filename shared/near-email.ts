/** Domains of the email providers that most residents use. */
const PROVIDERS = [
  ...['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com', 'aol.com', 'live.com', 'msn.com'],
  ...['comcast.net', 'verizon.net', 'att.net', 'sbcglobal.net', 'bellsouth.net', 'cox.net', 'protonmail.com'],
]
/**
 * Domains of other email providers that look like a typing error of a domain above. The portal suggests no correction
 * for them.
 */
const OTHERS = [
  'mail.com',
  'ymail.com',
  'email.com',
  'gmx.net',
  'gmx.com',
  'aim.com',
  'fmail.com',
  'love.com',
  'one.com',
]

/** True if the texts differ by one typing error: a letter missing, added or wrong, or two adjacent letters swapped. */
function isOneSlipAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start += 1
  let end = 0
  const max = Math.min(typed.length, meant.length) - start
  while (end < max && typed.at(-1 - end) === meant.at(-1 - end)) end += 1
  const [typo, correct] = [typed, meant].map((text) => text.slice(start, text.length - end)) as [string, string]
  const isSwapped = correct.length === 2 && typo === `${correct[1]}${correct[0]}`
  return isSwapped || (typo.length <= 1 && correct.length <= 1 && typo !== correct)
}

/** Returns the email address with the domain that the person probably meant. Null if the domain needs no correction. */
export function nearEmail(typed: string): string | null {
  const [, name, domain] = /^\s*([^\s@]+)@([^\s@]+?)\.?\s*$/.exec(typed) ?? []
  if (!name || !domain) return null
  const lower = domain.toLowerCase()
  if (PROVIDERS.includes(lower) || OTHERS.includes(lower)) return null
  const meant = PROVIDERS.find((provider) => isOneSlipAway(lower, provider))
  return meant ? `${name}@${meant}` : null
}
