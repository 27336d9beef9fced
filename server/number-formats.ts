/** Converts the numbers of a workbook to text by their number formats. */

const DAY_MS = 86_400_000
/** Numbers of days between the first day of the 1904 date system and the first day of the 1900 date system. */
const DAYS_1904 = 1462
/** Day number of December 31, 9999, the last day of a workbook. */
const MAX_DAY = 2_958_465
/** Built-in formats that are dates or times. Other built-in formats have no leading zeros. */
const BUILT_IN_DATES = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[57]|5[0-8])$/

/** Converts a number to the text that a person would type, or null if the number is not a possible date. */
export type NumberFormat = (value: number) => string | null

/** Returns the converter of a number format. `code` is undefined for a built-in format. */
export function numberFormatOf(id: number, code: string | undefined, uses1904: boolean): NumberFormat {
  const bare = bareFormat(code ?? '')
  if (code === undefined ? BUILT_IN_DATES.test(String(id)) : isDateFormat(code, bare))
    return (value) => dateText(uses1904 ? value + DAYS_1904 : value)
  return /^[0(][0 ()/-]*0$/.test(bare) ? (value) => paddedText(value, bare) : plainText
}

/**
 * Returns the first section of a format without colors and locales. Removes quoted words, because their letters are not
 * parts of a date. Keeps the separators of a format such as 00000-0000.
 */
const bareFormat = (code: string): string =>
  code
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\\([ ()/-])/g, '$1')
    .replaceAll(/\\.|_.|\*./gs, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replace(/;.*$/s, '')

/** Elapsed times such as [h]:mm stay numbers, because they are not times of a day. */
const isDateFormat = (code: string, bare: string): boolean => /[dmyhs]/i.test(bare) && !/\[(?:h+|m+|s+)\]/i.test(code)

/** Writes 15 digits, as spreadsheets show them. So 0.1 + 0.2 becomes 0.3. */
export function plainText(value: number): string {
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(Math.abs(rounded) < 1 ? 15 : 0).replace(/\.?0+$/, '') : text
}

/** Writes 12 as 000012 for the format 000000, and 170110001 as 17011-0001 for the format 00000-0000. */
function paddedText(value: number, format: string): string {
  if (!Number.isSafeInteger(value) || value < 0) return plainText(value)
  const width = format.replaceAll(/[^0]/g, '').length
  const digits = [...String(value).padStart(width, '0')]
  const lead = digits.splice(0, digits.length - width).join('')
  return lead + [...format].map((char) => (char === '0' ? (digits.shift() ?? '') : char)).join('')
}

/** Writes a day number as YYYY-MM-DD, with the time if it is not midnight. Numbers below 1 are times. */
function dateText(days: number): string | null {
  if (!(days >= 0 && days < MAX_DAY + 1)) return null
  // The 1900 date system contains the day February 29, 1900, which did not exist.
  const sinceEpoch = Math.round((days < 60 ? days + 1 : days) * 86_400) * 1000 - 25_569 * DAY_MS
  const iso = new Date(sinceEpoch).toISOString()
  const time = iso.slice(17, 19) === '00' ? iso.slice(11, 16) : iso.slice(11, 19)
  if (days < 1 && days > 0) return time
  return time === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
