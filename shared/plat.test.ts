import { describe, expect, it } from 'vitest'
import { drawPlat, drawSeal } from './plat.ts'

describe('a plat', () => {
  it('is stable for a municipality and differs between municipalities', () => {
    expect(drawPlat('maplegrove')).toEqual(drawPlat('maplegrove'))
    expect(drawPlat('maplegrove').blocks).not.toBe(drawPlat('harborcity').blocks)
  })
  it('is valid path data for any seed', () => {
    for (const seed of ['', 'maplegrove', '"><script>', 'ÅŁ', 'x'.repeat(200)]) {
      const { blocks, lots, river, angle } = drawPlat(seed)
      expect(blocks + lots + river).toMatch(/^[MHVZC\d\s-]+$/)
      expect(Math.abs(angle)).toBeLessThanOrEqual(17)
    }
  })
})

describe('a seal', () => {
  it('shows the first letter of the proper name', () => {
    expect(drawSeal('City of Clearbrook').initial).toBe('C')
    expect(drawSeal('The Borough of maple Grove').initial).toBe('M')
    expect(drawSeal('Harbor City').initial).toBe('H')
    expect(drawSeal('').initial).toBe('M')
  })
})
