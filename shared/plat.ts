/**
 * Images that the portal generates from a company's name or subdomain, so that each company has its own. The code only
 * calculates shapes. It uses neither the DOM nor randomness.
 */

export const PLAT_WIDTH = 1200
export const PLAT_HEIGHT = 420

/**
 * A street plat as path data for an SVG of `PLAT_WIDTH` × `PLAT_HEIGHT`. Blocks and lots are rotated by `angle`
 * degrees.
 */
export interface PlatDrawing {
  angle: number
  blocks: string
  lots: string
  river: string
}

function hash(text: string): number {
  let h = 2166136261
  for (const char of text) h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0
  return h
}

/** Returns a generator of pseudorandom numbers from 0 to 1. Equal seeds produce equal numbers. */
function numbers(seed: string): () => number {
  let state = hash(seed)
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

/**
 * Returns the positions of parallel streets. They extend beyond both edges, so that a rotated grid still covers every
 * corner.
 */
function streets(next: () => number, margin: number, length: number, min: number, spread: number): number[] {
  const positions: number[] = []
  for (let at = -margin; at < length + margin; at += min + next() * spread) positions.push(Math.round(at))
  return positions
}

const HALF_STREET = 7
const OPEN_LAND = 0.08
const DIVIDED = 0.62

/** Draws a company's street map. Equal seeds produce equal maps. */
export function renderPlat(seed: string): PlatDrawing {
  const next = numbers(seed)
  const angle = Math.round((next() - 0.5) * 34)
  const columns = streets(next, 200, PLAT_WIDTH, 62, 66)
  const rows = streets(next, 300, PLAT_HEIGHT, 50, 46)
  let blocks = ''
  let lots = ''
  for (const [i, west] of columns.slice(0, -1).entries()) {
    for (const [j, north] of rows.slice(0, -1).entries()) {
      if (next() < OPEN_LAND) continue
      const [x0, x1] = [west + HALF_STREET, (columns[i + 1] ?? west) - HALF_STREET]
      const [y0, y1] = [north + HALF_STREET, (rows[j + 1] ?? north) - HALF_STREET]
      blocks += `M${x0} ${y0}H${x1}V${y1}H${x0}Z`
      if (next() < DIVIDED) lots += divide(next, x0, x1, y0, y1)
    }
  }
  return { angle, blocks, lots, river: renderRiver(next) }
}

/** Draws an alley through the middle of a block, with two to four lots on each side. */
function divide(next: () => number, x0: number, x1: number, y0: number, y1: number): string {
  const count = 2 + Math.floor(next() * 3)
  let lots = `M${x0} ${Math.round((y0 + y1) / 2)}H${x1}`
  for (let k = 1; k < count; k++) lots += `M${Math.round(x0 + ((x1 - x0) * k) / count)} ${y0}V${y1}`
  return lots
}

const REACH = 190

/**
 * Draws a river from edge to edge. Each bend starts in the direction in which the previous one ended, so that the line
 * is smooth.
 */
function renderRiver(next: () => number): string {
  let y = PLAT_HEIGHT * (0.25 + next() * 0.4)
  let slope = (next() - 0.5) * 90
  let path = `M-260 ${Math.round(y)}`
  for (let x = -260; x < PLAT_WIDTH + 260; x += REACH) {
    const [end, arrival] = [y + (next() - 0.5) * 90, (next() - 0.5) * 150]
    path += `C${x + 65} ${Math.round(y + slope)} ${x + 125} ${Math.round(end - arrival)} ${x + REACH} ${Math.round(end)}`
    ;[y, slope] = [Math.min(PLAT_HEIGHT, Math.max(0, end)), arrival]
  }
  return path
}

/** Drawing of a company's seal, in a square with sides of 64 units. Shown if the company has no logo. */
export interface SealDrawing {
  initial: string
  /** Centers of the beads between the two rims. */
  beads: readonly { x: number; y: number }[]
}

const BEADS = 28
const BEAD_RING = 24.8
const tenth = (n: number) => Math.round(n * 10) / 10

/**
 * Draws a seal with the initial of the municipality's own name. "City of Clearbrook" gets a C, and "Town of Ashford" an
 * A.
 */
export function renderSeal(name: string): SealDrawing {
  const own = name.replace(/^(?:the\s+)?(?:city|town|village|borough|township|county)\s+of\s+/i, '').trim()
  const beads = Array.from({ length: BEADS }, (_, i) => {
    const angle = (i / BEADS) * 2 * Math.PI
    return { x: tenth(32 + BEAD_RING * Math.cos(angle)), y: tenth(32 + BEAD_RING * Math.sin(angle)) }
  })
  return { initial: (own[0] ?? 'M').toUpperCase(), beads }
}
