/** Checks of card and bank numbers by the rules of the networks. The hosted fields use the same file. */

/** Returns true if the ISO/IEC 7812 check digit (Luhn) is correct. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length >= 12 && sum % 10 === 0
}

/** Returns true if the checksum of an ABA routing number is correct. */
export const passesAba = (digits: string): boolean =>
  /^\d{9}$/.test(digits) &&
  [...digits].reduce((sum, digit, i) => sum + Number(digit) * (i % 3 === 0 ? 3 : i % 3 === 1 ? 7 : 1), 0) % 10 === 0

/** Returns the error message for a routing number that fails `passesAba`. */
export const routingFault = (digits: string): string =>
  /^\d{9}$/.test(digits)
    ? 'This routing number does not exist. Check it.'
    : 'Enter the 9 digits at the lower left of a check.'

export function brandOf(digits: string): string {
  if (digits.startsWith('4')) return 'visa'
  if (/^(?:5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  if (/^3[47]/.test(digits)) return 'amex'
  if (/^(?:6011|64[4-9]|65)/.test(digits)) return 'discover'
  if (/^(?:30[0-5]|36|38)/.test(digits)) return 'diners_club'
  if (/^(?:50|5[6-9]|6)/.test(digits)) return 'maestro'
  return 'unknown'
}

/** Returns true if the expiration month of a card has ended, in UTC. */
export const isExpired = (month: number, year: number, at: Date): boolean =>
  at.getTime() >= Date.UTC(month === 12 ? year + 1 : year, month === 12 ? 0 : month, 1)
