import { describe, expect, it } from 'vitest'
import { renderPlat, renderSeal } from './plat.ts'

describe('a plat', () => {
  it('is stable for a municipality and differs between municipalities', () => {
    expect(renderPlat('maplegrove')).toEqual(renderPlat('maplegrove'))
    expect(renderPlat('maplegrove').blocks).not.toBe(renderPlat('harborcity').blocks)
  })
  it('is valid path data for any seed', () => {
    for (const seed of ['', 'maplegrove', '"><script>', 'ÅŁ', 'x'.repeat(200)]) {
      const { blocks, lots, river, angle } = renderPlat(seed)
      expect(blocks + lots + river).toMatch(/^[MHVZC\d\s-]+$/)
      expect(Math.abs(angle)).toBeLessThanOrEqual(17)
    }
  })
})

describe('a seal', () => {
  it('shows the first letter of the proper name', () => {
    expect(renderSeal('City of Clearbrook').initial).toBe('C')
    expect(renderSeal('The Borough of maple Grove').initial).toBe('M')
    expect(renderSeal('Harbor City').initial).toBe('H')
    expect(renderSeal('').initial).toBe('M')
  })
})
