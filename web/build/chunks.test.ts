import { describe, expect, it } from 'vitest'
import { planChunks } from './chunks.ts'

interface Source {
  imports?: readonly string[]
  later?: readonly string[]
}

/** Plans the chunks of the modules. All modules have the same size. */
function plan(sources: Readonly<Record<string, Source>>, maxFiles: number): string[][] {
  const names = planChunks(
    new Set(Object.keys(sources)),
    (id) => ({
      code: `export const value = '${'x'.repeat(1000)}'`,
      importedIds: [...(sources[id]?.imports ?? [])],
      dynamicallyImportedIds: [...(sources[id]?.later ?? [])],
    }),
    {
      pages: { residents: ['resident'], office: ['office'] },
      unlimited: [],
      important: /^never$/,
      except: /^never$/,
      unfollowed: /^never$/,
      maxFiles,
    },
  )
  const chunks = Map.groupBy(names.keys(), (id) => names.get(id))
  return [...chunks.values()].map((ids) => ids.toSorted()).toSorted()
}

const many = Array.from({ length: 6 }, (_, index) => `shared${index}`)
/** Each screen needs other shared modules: the first needs all, the last needs one. */
const screens = Object.fromEntries(many.map((_, index) => [`screen${index}`, { imports: many.slice(index) }]))
const modules = Object.fromEntries(many.map((id) => [id, {}]))
const page = { resident: { later: Object.keys(screens) }, office: {}, ...screens, ...modules }

describe('planChunks', () => {
  it('joins modules that the same screens load', () => {
    const both = { imports: ['a', 'b'] }
    const sources = { resident: { later: ['one', 'two'] }, office: {}, one: both, two: both, a: {}, b: {} }
    expect(plan(sources, 9)).toEqual([['a', 'b']])
  })

  it('leaves a module of one screen in the file of the screen', () => {
    const sources = { resident: { later: ['one', 'two'] }, office: {}, one: { imports: ['a'] }, two: {}, a: {} }
    expect(plan(sources, 9)).toEqual([])
  })

  it('limits the files of a screen', () => {
    expect(plan(page, 9)).toHaveLength(5)
    expect(plan(page, 2)).toHaveLength(2)
  })

  it('keeps modules of the office out of files that residents load', () => {
    const sources = {
      resident: { later: ['one', 'two'] },
      office: { later: ['one', 'two', 'staff', 'report'] },
      ...{
        one: { imports: ['a'] },
        two: { imports: ['a'] },
        staff: { imports: ['a', 'b'] },
        report: { imports: ['a', 'b'] },
      },
      ...{ a: {}, b: {} },
    }
    expect(plan(sources, 1)).toEqual([['a'], ['b']])
  })

  it('joins no files that would import each other', () => {
    const sources = {
      resident: { later: ['one', 'two', 'three', 'between'] },
      office: {},
      ...{ one: { imports: ['top'] }, two: { imports: ['top'] }, three: { imports: ['low'] } },
      ...{ top: { imports: ['between'] }, between: { imports: ['low'] }, low: {} },
    }
    expect(plan(sources, 1)).toEqual([['low'], ['top']])
  })
})
