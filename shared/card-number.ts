/** Error message if a person enters a card number in a field that is stored. */
export const CARD_NUMBER = 'This looks like a card number. Remove it. We never need it and must not store it.'

/** True if the check digit of a card number is correct (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const value = at % 2 === 0 ? Number(digit) : 2 * Number(digit)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const MAX_DIGITS = 19
const isCard = (digits: string) => /^[2-6]\d{12,18}$/.test(digits) && passesLuhn(digits)

/** True if the text contains a card number, either in one piece or in groups of digits. */
export function holdsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(/\d+(?:[ .\-\u2010-\u2015\u00a0]{1,2}\d+)*/g)) {
    const groups = run.match(/\d+/g) ?? []
    // Tries each group of digits as the start of a card number, because other numbers may precede or follow the card
    // number.
    for (let from = 0; from < groups.length; from++) {
      let digits = ''
      for (let at = from; at < groups.length && digits.length < MAX_DIGITS; at++)
        if (isCard((digits += groups[at]))) return true
    }
  }
  return false
}
