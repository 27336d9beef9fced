import { describe, expect, it } from 'vitest'
import { entryOf, isBuilt, screenAbove, screenAt, screens } from './all-screens.ts'

describe('the list of screens', () => {
  it('finds each screen at its own path, whatever the case, and at its other spellings', () => {
    for (const screen of screens) {
      const example = screen.path.replaceAll(/\{\w+Id\}/g, '12').replaceAll(/\{\w+\}/g, 'x1')
      for (const path of [example, example.toUpperCase(), `${example}/`, ...(screen.aliases ?? [])])
        expect(screenAt(path)?.path, path).toBe(screen.path)
    }
  })

  it('leads from each page of one record to a screen above', () => {
    const ofRecords = screens.filter(({ built, byServer, path }) => built && !byServer && path.includes('{'))
    expect(ofRecords.length).toBeGreaterThan(20)
    for (const { path, entry } of ofRecords) {
      const above = screenAbove(path.replaceAll(/\{\w+Id\}/g, '12').replaceAll(/\{\w+\}/g, 'x1'))
      expect(above, path).toMatchObject({ entry, built: true })
      expect(above?.path, path).not.toContain('{')
    }
    for (const { path } of screens.filter((one) => !one.path.includes('{')))
      expect(screenAbove(path), path).toBeUndefined()
  })

  it('serves each screen from the entry that its path belongs to', () => {
    for (const screen of screens) expect(entryOf(screen.path), screen.path).toBe(screen.entry)
  })

  it('keeps the spellings of the specification working', () => {
    expect(screenAt('/reloaction')?.path).toBe('/relocate')
    expect(screenAt('/signin')?.path).toBe('/sign-in')
    expect(screenAt('/admin/analytics')?.path).toBe('/admin/analyitics')
    expect(screenAt('/municipality/reports/Autopay')?.path).toBe('/municipality/reports/autopay')
    expect(screenAt('/municipality/sandbox-sso-test')?.path).toBe('/municipality/{provider}-sso-test')
  })

  it('knows nothing of other paths', () => {
    expect(screenAt('/nowhere')).toBeUndefined()
    expect(screenAt('/resource-rentals/abc')).toBeUndefined()
    expect(isBuilt('/nowhere')).toBe(false)
    expect(isBuilt('/guest-utility-payment?account=1')).toBe(true)
    expect(entryOf('/administration')).toBe('citizen')
  })
})
