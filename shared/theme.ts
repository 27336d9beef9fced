/**
 * A company's palette, derived from its two chosen colors. The lightness in OKLCH is changed until each token has its
 * guaranteed contrast on every background that it is used on. So a company may choose any color, and all text stays
 * readable. The code has no side effects, so the server can use it for pages and the color editor for previews.
 */

/**
 * Status colors, which all companies share. The neutral color does not use the company's hue, so that it
 * never looks like success.
 */
const status = {
  danger: '#9b1c12',
  'danger-tint': '#fdeae8',
  success: '#10633a',
  'success-tint': '#dff3e6',
  warning: '#7a4300',
  'warning-tint': '#fdf0da',
  info: '#1b4b8a',
  'info-tint': '#e5effb',
  neutral: '#3d3d40',
  'neutral-tint': '#e9e9ec',
} as const

type CompanyToken =
  | 'brand'
  | 'on-brand'
  | 'brand-hover'
  | 'deep'
  | 'deep-line'
  | 'on-deep-soft'
  | 'link'
  | 'edge'
  | 'line'
  | 'paper'
  | 'surface'
  | 'tint'
  | 'tint-2'
  | 'ink'
  | 'muted'

export type Token = CompanyToken | keyof typeof status

export interface Theme {
  tokens: Record<Token, string>
  /**
   * Chosen colors that were darkened for readability, with the colors used instead. `links` have the hue of the
   * background color.
   */
  darkened: { what: 'background' | 'links' | 'text'; chosen: string; used: string }[]
  /** CSS for a `<style>` block. It sets all tokens as custom properties of the root element. */
  cssText: string
}

/** Default colors (spec 9.1). */
export const DEFAULT_BACKGROUND = '#324c96'
export const DEFAULT_TEXT = '#111111'

/** Minimum contrast of each token, as a WCAG ratio. `theme.test.ts` checks the ratios for thousands of companies. */
export const guaranteed = { brand: 4.5, deep: 8, onDeepSoft: 5.5, link: 5.2, edge: 3.1, ink: 7, muted: 4.8 } as const

const WHITE = '#ffffff'
const NEAR_BLACK = '#111111'
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

type Rgb = readonly [red: number, green: number, blue: number]

/** Color in OKLCH: lightness from 0 to 1, chroma, and hue in radians. */
interface Lch {
  l: number
  c: number
  h: number
}

const clamp = (n: number) => Math.min(1, Math.max(0, n))
const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const toGamma = (light: number) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

function parseHex(hex: string): Rgb {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((d) => d + d).join('') : hex.slice(1)
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255
  return [channel(0), channel(2), channel(4)]
}

const toHex = (rgb: Rgb) =>
  `#${rgb
    .map((channel) =>
      Math.round(clamp(channel) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

function luminance(hex: string): number {
  const [red, green, blue] = parseHex(hex)
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue)
}

/** Returns the WCAG 2 contrast ratio between two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function toLch(hex: string): Lch {
  const [red, green, blue] = parseHex(hex).map(toLinear) as unknown as Rgb
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: Math.atan2(b, a),
  }
}

function toRgb({ l, c, h }: Lch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    toGamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    toGamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    toGamma(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

/** Converts a color to hex. If a screen can't show the color, reduces its chroma and keeps lightness and hue. */
function fromLch(color: Lch): string {
  const isInGamut = (rgb: Rgb) => rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)
  for (let c = color.c; c > 0.001; c *= 0.9) {
    const rgb = toRgb({ ...color, c })
    if (isInGamut(rgb)) return toHex(rgb)
  }
  return toHex(toRgb({ ...color, c: 0 }))
}

const STEP = 0.01

/** Changes lightness in one direction until the color has this contrast on every background. */
function readable(color: Lch, backgrounds: readonly string[], ratio: number, direction: 'darker' | 'lighter'): string {
  const step = direction === 'darker' ? -STEP : STEP
  let l = clamp(color.l)
  let hex = fromLch({ ...color, l })
  while (backgrounds.some((background) => contrast(hex, background) < ratio) && l > 0 && l < 1) {
    l = clamp(l + step)
    hex = fromLch({ ...color, l })
  }
  return hex
}

/**
 * Darkens a mid-tone background on which neither white nor near-black text is readable, as is the case for about one
 * color in thirty. Darkens it only until white text is readable.
 */
function bearable(background: string): string {
  const best = Math.max(contrast(WHITE, background), contrast(NEAR_BLACK, background))
  return best >= guaranteed.brand ? background : readable(toLch(background), [WHITE], guaranteed.brand, 'darker')
}

/**
 * Derives the palette of a company.
 * @param background the company's color, `#rgb` or `#rrggbb`. Other values use the default
 * @param text the company's text color, in the same format
 */
export function makeTheme(background = DEFAULT_BACKGROUND, text = DEFAULT_TEXT): Theme {
  const chosen = (HEX.test(background) ? background : DEFAULT_BACKGROUND).toLowerCase()
  const chosenText = (HEX.test(text) ? text : DEFAULT_TEXT).toLowerCase()

  const brand = bearable(chosen)
  const { l, c, h } = toLch(brand)
  const hued = (lightness: number, maxChroma: number): Lch => ({ l: lightness, c: Math.min(c, maxChroma), h })

  const surface = WHITE
  const pageColor = fromLch(hued(0.984, 0.006))
  const tint = fromLch(hued(0.955, 0.02))
  const tint2 = fromLch(hued(0.915, 0.04))
  const backgrounds = [surface, pageColor, tint, tint2]

  const onBrand = contrast(WHITE, brand) >= guaranteed.brand ? WHITE : NEAR_BLACK
  const hover =
    onBrand === WHITE ? ({ by: -0.06, direction: 'darker' } as const) : ({ by: 0.05, direction: 'lighter' } as const)
  const deep = readable(hued(Math.min(l, 0.36), 0.12), [WHITE], guaranteed.deep, 'darker')
  const ink = readable(toLch(chosenText), backgrounds, guaranteed.ink, 'darker')

  const tokens: Record<Token, string> = {
    brand,
    'on-brand': onBrand,
    'brand-hover': readable({ l: l + hover.by, c, h }, [onBrand], guaranteed.brand, hover.direction),
    deep,
    'deep-line': readable(hued(toLch(deep).l + 0.1, 0.1), [deep], 1.35, 'lighter'),
    'on-deep-soft': readable(hued(0.86, 0.04), [deep], guaranteed.onDeepSoft, 'lighter'),
    link: readable(hued(Math.min(l, 0.5), 0.16), backgrounds, guaranteed.link, 'darker'),
    edge: readable(hued(0.66, 0.05), backgrounds, guaranteed.edge, 'darker'),
    line: fromLch(hued(0.885, 0.018)),
    paper: pageColor,
    surface,
    tint,
    'tint-2': tint2,
    ink,
    muted: readable(hued(0.52, 0.03), backgrounds, guaranteed.muted, 'darker'),
    ...status,
  }

  const darkened: Theme['darkened'] = []
  if (luminance(brand) < luminance(chosen)) darkened.push({ what: 'background', chosen, used: brand })
  // Reports the link color only if the chosen color would be unreadable as text on the page background. Other changes
  // are not noticeable.
  if (contrast(chosen, pageColor) < guaranteed.brand) darkened.push({ what: 'links', chosen, used: tokens.link })
  if (luminance(ink) < luminance(chosenText)) darkened.push({ what: 'text', chosen: chosenText, used: ink })

  return { tokens, darkened, cssText: cssOf(tokens) }
}

const cssOf = (tokens: Record<Token, string>) =>
  `:root{${Object.entries(tokens)
    .map(([token, color]) => `--${token}:${color}`)
    .join(';')}}`
