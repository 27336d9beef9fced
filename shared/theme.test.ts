import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, DEFAULT_BACKGROUND, DEFAULT_TEXT, makeTheme, promised } from './theme.ts'

const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const runs = process.env.NIGHTLY === '1' ? 20_000 : 2_000

describe('a theme', () => {
  it('keeps every promised contrast, whatever colours a town chooses', () => {
    fc.assert(
      fc.property(colour, colour, (background, text) => {
        const { tokens: t } = makeTheme(background, text)
        const lights = [t.surface, t.paper, t.tint, t['tint-2']]
        const least = (one: string) => Math.min(...lights.map((light) => contrast(one, light)))
        expect(least(t.ink)).toBeGreaterThanOrEqual(promised.ink)
        expect(least(t.link)).toBeGreaterThanOrEqual(promised.link)
        expect(least(t.muted)).toBeGreaterThanOrEqual(promised.muted)
        expect(least(t.edge)).toBeGreaterThanOrEqual(promised.edge)
        expect(contrast('#ffffff', t.deep)).toBeGreaterThanOrEqual(promised.deep)
        expect(contrast(t['on-deep-soft'], t.deep)).toBeGreaterThanOrEqual(promised.onDeepSoft)
        expect(contrast(t['on-brand'], t.brand)).toBeGreaterThanOrEqual(promised.brand)
        expect(contrast(t['on-brand'], t['brand-hover'])).toBeGreaterThanOrEqual(promised.brand)
      }),
      { numRuns: runs, seed: 20_261_121 },
    )
  }, 120_000)

  it('keeps a colour that can be read as it was chosen', () => {
    expect(makeTheme().tokens.brand).toBe(DEFAULT_BACKGROUND)
    expect(makeTheme().tokens.ink).toBe(DEFAULT_TEXT)
    expect(makeTheme().darkened).toEqual([])
    expect(makeTheme('#ffd200').tokens).toMatchObject({ brand: '#ffd200', 'on-brand': '#111111' })
  })

  it('says what was darkened', () => {
    const { darkened, tokens } = makeTheme('#777777', '#bbbbbb')
    expect(darkened).toEqual([
      { what: 'background', chosen: '#777777', used: tokens.brand },
      { what: 'text', chosen: '#bbbbbb', used: tokens.ink },
    ])
  })

  it('takes what is no colour for the default, so that nothing foreign gets into the style block', () => {
    expect(makeTheme('red;}</style>', '').cssText).toBe(makeTheme().cssText)
  })

  it('writes its tokens as custom properties', () => {
    expect(makeTheme().cssText).toMatch(/^:root\{--brand:#324c96;--on-brand:#ffffff;.*\}$/)
  })
})
