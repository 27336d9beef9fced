import { globSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'

const EVENING = '2026-11-20T22:30:05.000Z'

/** Loads the clock of a page with this boot data. */
async function clockOf(boot: object) {
  vi.resetModules()
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(boot) }) })
  return import('./clock.ts')
}
afterEach(() => vi.unstubAllGlobals())

describe('the clock on the screens', () => {
  it.each([
    ['America/New_York', 'Nov 20, 2026, 5:30 PM', '2026-11-20'],
    ['Pacific/Auckland', 'Nov 21, 2026, 11:30 AM', '2026-11-21'],
  ])('uses the company’s time zone, in %s, not the browser’s', async (timeZone, text, day) => {
    const clock = await clockOf({ company: { timeZone } })
    expect(clock.shortInstant(EVENING)).toBe(text)
    expect(clock.exactInstant(EVENING)).toBe(text.replace(':30', ':30:05'))
    expect(clock.shortTime(EVENING)).toBe(text.split(', ').at(-1))
    expect(clock.dayOf(EVENING)).toBe(day)
  })

  it('shows a dash for an empty date or instant', async () => {
    const clock = await clockOf({ company: { timeZone: 'America/New_York' } })
    const { formatDate, formatInstant, formatShortDate } = await import('../shared/dates.ts')
    const texts = [clock.shortInstant(''), clock.exactInstant(''), clock.shortTime(''), clock.longInstant('')]
    expect([...texts, formatDate(''), formatShortDate(''), formatInstant('', 'UTC')]).toEqual(Array(7).fill('–'))
  })

  it('shows the time zone to administrators of many companies', async () => {
    const clock = await clockOf({})
    const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(new Date(EVENING))
    expect(clock.shortInstant(EVENING)).toContain(` ${zone.find(({ type }) => type === 'timeZoneName')?.value}`)
  })

  it('is the only source of times on all screens', () => {
    const own = globSync(['web/**/*.{ts,tsx}', 'features/*/web/**/*.{ts,tsx}'])
      .filter((file) => !/^web\/clock(\.test)?\.ts$/.test(file))
      .filter((file) => /timeStyle|hour: '|resolvedOptions\(\)\.timeZone/.test(readFileSync(file, 'utf8')))
    // The calendar shows items of many companies, each in its own time zone.
    expect(own).toEqual(['features/calendar/web/parts/days.ts'])
  })
})
