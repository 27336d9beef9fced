import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, DEFAULT_BACKGROUND, DEFAULT_TEXT, makeTheme, guaranteed } from './theme.ts'

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const runs = process.env.NIGHTLY === '1' ? 20_000 : 2_000

describe('a theme', () => {
  it('keeps every promised contrast for any company colors', () => {
    fc.assert(
      fc.property(color, color, (background, text) => {
        const { tokens: t } = makeTheme(background, text)
        const lights = [t.surface, t.paper, t.tint, t['tint-2']]
        const minContrast = (one: string) => Math.min(...lights.map((light) => contrast(one, light)))
        expect(minContrast(t.ink)).toBeGreaterThanOrEqual(guaranteed.ink)
        expect(minContrast(t.link)).toBeGreaterThanOrEqual(guaranteed.link)
        expect(minContrast(t.muted)).toBeGreaterThanOrEqual(guaranteed.muted)
        expect(minContrast(t.edge)).toBeGreaterThanOrEqual(guaranteed.edge)
        expect(contrast('#ffffff', t.deep)).toBeGreaterThanOrEqual(guaranteed.deep)
        expect(contrast(t['on-deep-soft'], t.deep)).toBeGreaterThanOrEqual(guaranteed.onDeepSoft)
        expect(contrast(t['on-brand'], t.brand)).toBeGreaterThanOrEqual(guaranteed.brand)
        expect(contrast(t['on-brand'], t['brand-hover'])).toBeGreaterThanOrEqual(guaranteed.brand)
      }),
      { numRuns: runs, seed: 20_261_121 },
    )
  }, 120_000)

  it('keeps a readable color as chosen', () => {
    expect(makeTheme().tokens.brand).toBe(DEFAULT_BACKGROUND)
    expect(makeTheme().tokens.ink).toBe(DEFAULT_TEXT)
    expect(makeTheme().darkened).toEqual([])
    expect(makeTheme('#ffd200').tokens).toMatchObject({ brand: '#ffd200', 'on-brand': '#111111' })
  })

  it('shows good states greener than others for any company colors', () => {
    const greenness = (hex: string) => {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
        number,
        number,
        number,
      ]
      return green - (red + blue) / 2
    }
    fc.assert(
      fc.property(color, color, (background, text) => {
        const { tokens: t } = makeTheme(background, text)
        for (const [good, neutral] of [
          [t.success, t.neutral],
          [t['success-tint'], t['neutral-tint']],
        ] as const)
          expect(greenness(good)).toBeGreaterThan(greenness(neutral) + 8)
        expect(contrast(t.neutral, t['neutral-tint'])).toBeGreaterThanOrEqual(guaranteed.ink)
        expect(contrast(t.success, t['success-tint'])).toBeGreaterThanOrEqual(guaranteed.brand)
      }),
      { numRuns: runs, seed: 20_261_122 },
    )
  }, 120_000)

  it('reports darker links for an unreadable color', () => {
    const { darkened, tokens } = makeTheme('#ffe600')
    expect(tokens.brand).toBe('#ffe600')
    expect(darkened).toEqual([{ what: 'links', chosen: '#ffe600', used: tokens.link }])
  })

  it('reports no invisible change of the link color', () => {
    expect(makeTheme('#2f6b4f').darkened).toEqual([])
  })

  it('reports each darkened color', () => {
    const { darkened, tokens } = makeTheme('#777777', '#bbbbbb')
    expect(darkened).toEqual([
      { what: 'background', chosen: '#777777', used: tokens.brand },
      { what: 'links', chosen: '#777777', used: tokens.link },
      { what: 'text', chosen: '#bbbbbb', used: tokens.ink },
    ])
  })

  it('replaces malformed colors by the default, against CSS injection', () => {
    expect(makeTheme('red;}</style>', '').cssText).toBe(makeTheme().cssText)
  })

  it('writes its tokens as custom properties', () => {
    expect(makeTheme().cssText).toMatch(/^:root\{--brand:#324c96;--on-brand:#ffffff;.*\}$/)
  })
})
