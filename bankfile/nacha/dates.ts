/** True if YYMMDD is a calendar day. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(Date.UTC(2000 + Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** Converts YYYY-MM-DD to the YYMMDD of a bank file. */
export const shortDay = (day: string): string => day.slice(2).replaceAll('-', '')

export const isTime = (text: string): boolean => /^([01]\d|2[0-3])[0-5]\d$/.test(text)
