import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import type { PackLanguage } from '../../../server/pack-texts.ts'
import { isAreaOn } from '../../../server/modules.ts'
import { allPacks, type Pack, packNamed } from '../../../server/packs.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { areaLabel, levels } from '../../../shared/areas.ts'
import { translated } from '../../../shared/messages.ts'
import { starterPack, starterPacks } from '../contract.ts'
import { placeholderLabels, readValues } from '../../../server/company-values.ts'

/** Returns the area that the person lacks at the level "manage". Empty if the person may add the pack. */
export function missingArea(call: Call, { area }: Pack): string {
  const held = signedIn(call).privileges[area] ?? 0
  return (held & levels.manage) === levels.manage ? '' : areaLabel(area)
}

/** @throws 404 if no feature declares the pack, or its module is off */
export function findPack({ company }: Call, name: string): Pack {
  const pack = packNamed(name)
  if (!pack || !isAreaOn(company, pack.area)) throw notFound('This starter pack does not exist. Reload the page.')
  return pack
}

/** Language of the items in `starter_item`. A pack with both languages counts as English. */
export const storedLanguage = (pack: Pack, language: PackLanguage): PackLanguage => (pack.isBilingual ? 'en' : language)

/** Loads the keys of the entries that the company has from a pack. */
export async function addedKeys(tx: Tx, company: CompanyId, pack: Pack, language: PackLanguage): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('starter_item')
    .select('key')
    .where('company_id', '=', company)
    .where('pack', '=', pack.pack)
    .where('language', '=', storedLanguage(pack, language))
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export const starterPacksCall = implement(starterPacks, (call) =>
  call.reading(async (tx) => {
    const { language } = call.body
    const company = call.company.id
    const values = await readValues(tx, company)
    const rows = await tx
      .selectFrom('starter_item')
      .select(['pack', 'language', 'key', 'version', ({ eb }) => eb('content', 'is not', null).as('comparable')])
      .where('company_id', '=', company)
      .execute()
    return {
      municipality: values.en.municipality,
      packs: allPacks()
        .filter(({ area }) => isAreaOn(call.company, area))
        .map((pack) => {
          const keys = new Set(pack.keys())
          const of = storedLanguage(pack, language)
          return {
            pack: pack.pack,
            label: translated(pack.label),
            count: keys.size,
            added: rows.filter((row) => row.pack === pack.pack && row.language === of && keys.has(row.key)).length,
            missing: [...pack.placeholders()]
              .filter((name) => values[language][name] === '')
              .map((name) => translated(placeholderLabels[name])),
            isBilingual: pack.isBilingual,
            hasNewer: rows.some(
              (row) => row.pack === pack.pack && row.language === of && row.comparable && row.version < pack.version(),
            ),
            needs: missingArea(call, pack),
          }
        }),
    }
  }),
)

export const starterPackCall = implement(starterPack, (call) => {
  const { pack: name, language } = call.body
  const pack = findPack(call, name)
  return call.reading(async (tx) => {
    const company = call.company.id
    const added = await addedKeys(tx, company, pack, language)
    const existing = new Set((await pack.existing(tx, company)).map(({ title }) => title.toLowerCase()))
    return {
      label: translated(pack.label),
      items: pack.entries(language, await readValues(tx, company)).map(({ key, preview, isComplete }) => ({
        key,
        ...preview,
        details: [...preview.details],
        status: added.has(key)
          ? ('added' as const)
          : existing.has(preview.title.toLowerCase())
            ? ('existing' as const)
            : ('new' as const),
        isDraft: !isComplete,
      })),
    }
  })
})
