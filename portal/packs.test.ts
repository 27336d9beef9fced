import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { features } from './server.ts'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { offensiveIn } from '../shared/decency.ts'
import { definition } from '../shared/fields/mistakes.ts'
import { textsOf, unfilled } from '../server/pack-texts.ts'
import { definitionOf, packEntries, packFile, type PackStep } from '../server/packs.ts'

const SIZES: Readonly<Record<string, number>> = {
  'request-categories': 20,
  'saved-replies': 25,
  faqs: 100,
  forms: 20,
  'alert-texts': 12,
  'inspection-templates': 10,
  'work-order-plans': 15,
  'rental-examples': 8,
  'violation-codes': 30,
}
const packs = features.flatMap((feature) => feature.packs ?? [])
const files = readdirSync(join(import.meta.dirname, '../packs')).map((name) => name.replace('.json', ''))

/** Lists all texts of a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** Lists the pairs of an English and a Spanish text. */
const pairsIn = (value: unknown): { en: string; es: string }[] => {
  if (typeof value !== 'object' || value === null) return []
  if ('en' in value && 'es' in value && typeof value.en === 'string') return [value as { en: string; es: string }]
  return Object.values(value).flatMap(pairsIn)
}
const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

describe('starter packs', () => {
  it('have one declaration for each file', () =>
    expect(packs.map(({ pack }) => pack).toSorted()).toEqual(files.toSorted()))

  it.each(packs.map((pack) => [pack.pack, pack] as const))('have the decided size: %s', (name, pack) => {
    expect(pack.keys()).toHaveLength(SIZES[name] ?? 0)
    expect(new Set(pack.keys()).size).toBe(pack.keys().length)
    expect(pack.version()).toBeGreaterThan(0)
  })

  it.each(files)('have both languages with the same placeholders: %s', (name) => {
    const pairs = pairsIn(packFile(name))
    expect(pairs.length).toBeGreaterThan(0)
    for (const { en, es } of pairs) {
      expect(es.trim(), en).not.toBe('')
      expect(new Set(placeholdersOf(es)), en).toEqual(new Set(placeholdersOf(en)))
    }
  })

  it.each(files)('name no municipality and no offensive word: %s', (name) => {
    const names = [mapleGrove, harborCity].map(({ company }) => company.companyName.toLowerCase())
    const states = ['pennsylvania', 'maryland', 'maple grove', 'harbor city']
    for (const text of textsIn(packFile(name))) {
      expect(
        [...names, ...states].filter((one) => text.toLowerCase().includes(one)),
        text,
      ).toEqual([])
      expect(offensiveIn(text), text).toBe(null)
    }
  })

  it.each(packs.map((pack) => [pack.pack, pack] as const))('stay drafts without a setting: %s', (_name, pack) => {
    const none = { municipality: '', phone: '', hours: '', office: '', website: '' }
    const values = { en: none, es: none }
    for (const language of ['en', 'es'] as const)
      for (const { isComplete, preview, key } of pack.entries(language, values)) {
        const entry = packFile(pack.pack).entries.find((one) => one.key === key)
        expect(isComplete, key).toBe(placeholdersOf(JSON.stringify(entry)).length === 0)
        expect(preview.title, key).not.toBe('')
      }
  })
})

describe('questions of the packs', () => {
  const sets = ['forms', 'request-categories', 'inspection-templates'].flatMap((name) =>
    packFile(name).entries.flatMap((entry) =>
      (['en', 'es'] as const).flatMap((language) => {
        const { steps, questions, items } = textsOf(entry, language, unfilled).texts as unknown as Record<
          string,
          readonly PackStep[]
        >
        const parts = steps ?? questions ?? items
        return parts ? [[`${name} ${entry.key} ${language}`, definitionOf(parts)] as const] : []
      }),
    ),
  )

  it.each(sets)('can be published: %s', (_name, set) =>
    expect(definition.safeParse(set).error?.issues ?? []).toEqual([]),
  )

  it('leave the GL account to the municipality', () =>
    expect(packEntries<{ glAccount?: string }>('forms').filter(({ glAccount }) => glAccount)).toEqual([]))
})
