import type { ResourceKind } from './rules.ts'

/**
 * SVG illustrations of the demo companies' resources. Each measures 1200 by 800 and uses few colors, which keeps the
 * file small.
 */

interface Palette {
  sky: string
  ground: string
  far: string
  wall: string
  roof: string
}
const palettes: readonly Palette[] = [
  { sky: '#cfe6f2', ground: '#8fb573', far: '#6f9a5c', wall: '#e9d9bd', roof: '#8a4b32' },
  { sky: '#dceaf5', ground: '#9bb98c', far: '#54798c', wall: '#f0ece2', roof: '#35566e' },
]
const evening: Partial<Palette> = { sky: '#f3c9a5', far: '#7d6b6a', ground: '#7f8f62' }

const rect = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
const shape = (points: string, fill: string) => `<polygon points="${points}" fill="${fill}"/>`
const line = (x1: number, y1: number, x2: number, y2: number, width = 6, stroke = '#fff') =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}" stroke-width="${width}"/>`
const tree = (x: number, y: number, size: number, fill: string) =>
  `${rect(x - size / 12, y, size / 6, size / 2, '#6b4e37')}<circle cx="${x}" cy="${y - size / 4}" r="${size / 2}" fill="${fill}"/>`
const many = (count: number, renderPage: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => renderPage(n)).join('')

const table = (x: number, y: number) =>
  rect(x, y, 130, 12, '#7a5a3c') + rect(x + 18, y + 12, 10, 46, '#5d4530') + rect(x + 102, y + 12, 10, 46, '#5d4530')

const scenes: Record<ResourceKind, (colors: Palette) => string> = {
  pavilion: ({ wall, roof, far }) =>
    tree(130, 430, 220, far) +
    tree(1080, 450, 180, far) +
    rect(270, 600, 660, 16, '#b9b2a3') +
    many(5, (n) => rect(300 + n * 145, 360, 18, 240, wall)) +
    many(3, (n) => table(345 + n * 190, 540)) +
    shape('230,370 600,190 970,370', roof),
  hall: ({ wall, roof, far }) =>
    tree(110, 440, 200, far) +
    rect(240, 340, 720, 270, wall) +
    shape('210,345 600,180 990,345', roof) +
    many(3, (n) => rect(300 + n * 90, 400, 56, 100, '#46617a')) +
    many(3, (n) => rect(664 + n * 90, 400, 56, 100, '#46617a')) +
    rect(560, 450, 80, 160, roof) +
    `<circle cx="600" cy="290" r="34" fill="${wall}"/>`,
  field: ({ far }) =>
    many(7, (n) => tree(60 + n * 180, 400, 130, far)) +
    shape('160,760 1040,760 860,470 340,470', '#7aa65f') +
    line(160, 760, 1040, 760) +
    line(340, 470, 860, 470) +
    line(160, 760, 340, 470) +
    line(1040, 760, 860, 470) +
    line(250, 615, 950, 615) +
    `<ellipse cx="600" cy="615" rx="110" ry="44" fill="none" stroke="#fff" stroke-width="6"/>` +
    line(545, 470, 545, 410) +
    line(655, 470, 655, 410) +
    line(545, 412, 655, 412),
  equipment: ({ wall, roof }) =>
    rect(180, 250, 840, 360, wall) +
    shape('150,255 600,130 1050,255', roof) +
    many(4, (n) => table(250 + (n % 2) * 60 + Math.floor(n / 2) * 360, 640 + (n % 2) * 60)),
}

const kayaks =
  rect(0, 470, 1200, 330, '#7fb0c4') +
  many(4, (n) => {
    const color = ['#c8553d', '#e0a63a', '#3f7d58', '#35566e'][n] ?? ''
    return `<ellipse cx="${330 + n * 180}" cy="${560 + n * 44}" rx="190" ry="24" fill="${color}"/>
      <ellipse cx="${330 + n * 180}" cy="${554 + n * 44}" rx="44" ry="11" fill="#2b2b2b"/>`
  })

interface DemoScene {
  kind: ResourceKind
  /** Color palette of the company: 0 or 1. */
  palette: number
  inTheEvening: boolean
  /** True if the illustration shows boats on the water instead of the usual scene. */
  boats: boolean
}

export function photoOf({ kind, palette, inTheEvening, boats }: DemoScene): string {
  const colors = { ...(palettes[palette] ?? palettes[0]), ...(inTheEvening && evening) } as Palette
  const sun = inTheEvening
    ? `<circle cx="940" cy="300" r="60" fill="#f6e3a1"/>`
    : `<circle cx="1010" cy="120" r="52" fill="#fff6d5"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">${rect(0, 0, 1200, 800, colors.sky)}${sun}
    ${shape('0,470 260,380 560,450 860,370 1200,460 1200,800 0,800', colors.far)}${rect(0, 470, 1200, 330, colors.ground)}
    ${boats ? kayaks : scenes[kind](colors)}</svg>`
}
