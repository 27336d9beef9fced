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

  it('shows what is good greener than what is not, whatever colours a town chooses', () => {
    const greenness = (hex: string) => {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
        number,
        number,
        number,
      ]
      return green - (red + blue) / 2
    }
    fc.assert(
      fc.property(colour, colour, (background, text) => {
        const { tokens: t } = makeTheme(background, text)
        for (const [good, neutral] of [
          [t.success, t.neutral],
          [t['success-tint'], t['neutral-tint']],
        ] as const)
          expect(greenness(good)).toBeGreaterThan(greenness(neutral) + 8)
        expect(contrast(t.neutral, t['neutral-tint'])).toBeGreaterThanOrEqual(promised.ink)
        expect(contrast(t.success, t['success-tint'])).toBeGreaterThanOrEqual(promised.brand)
      }),
      { numRuns: runs, seed: 20_261_122 },
    )
  }, 120_000)

  it('says that links are darker than a colour in which no words can be read', () => {
    const { darkened, tokens } = makeTheme('#ffe600')
    expect(tokens.brand).toBe('#ffe600')
    expect(darkened).toEqual([{ what: 'links', chosen: '#ffe600', used: tokens.link }])
  })

  it('tells nothing of a shade of links that nobody sees', () => {
    expect(makeTheme('#2f6b4f').darkened).toEqual([])
  })

  it('says what was darkened', () => {
    const { darkened, tokens } = makeTheme('#777777', '#bbbbbb')
    expect(darkened).toEqual([
      { what: 'background', chosen: '#777777', used: tokens.brand },
      { what: 'links', chosen: '#777777', used: tokens.link },
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
