import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { companyId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { codeOf } from '../../shared/form-parts.ts'
import { difference } from '../shared-records/contract.ts'

/** Staff open the screen with the right to change settings. Each pack also needs its own area (`server/packs.ts`). */
const access: Access = { audience: ['municipality', 'platform'], privilege: ['settings', 'update'] }

/** Languages of the texts that a pack adds. */
export const languages = { en: 'English', es: 'Spanish' } as const
export type Language = keyof typeof languages

const language = codeOf(languages, 'Choose a language.')
const pack = z.string().check(z.regex(/^[a-z-]{1,40}$/, 'Choose a pack.'))

export const starterPacks = endpoint({
  path: 'muni/return/starter/packs',
  summary: 'Returns the starter packs with the number of added items',
  access,
  body: z.object({ companyId, language }),
  response: z.object({
    /** Name of the municipality. */
    municipality: z.string(),
    packs: z.array(
      z.object({
        pack: z.string(),
        label: z.string(),
        count: z.int(),
        added: z.int(),
        /** Placeholders without a value, for example the phone number. Items that use them stay drafts. */
        missing: z.array(z.string()),
        isBilingual: z.boolean(),
        /** True if an item may have a newer text. */
        hasNewer: z.boolean(),
        /** Area that the person needs at the level "manage". Empty if the person may add the pack. */
        needs: z.string(),
      }),
    ),
  }),
})

export const packItem = z.object({
  key: z.string(),
  title: z.string(),
  text: z.string(),
  details: z.array(z.string()),
  status: z.enum(['new', 'added', 'existing']),
  isDraft: z.boolean(),
})

export const starterPack = endpoint({
  path: 'muni/return/starter/pack',
  summary: 'Returns the items of a starter pack',
  access,
  body: z.object({ companyId, language, pack }),
  response: z.object({ label: z.string(), items: z.array(packItem) }),
})

/** Adds the items of a pack that the company lacks. Repeated calls add nothing. */
export const addStarterPack = formCall({
  path: 'muni/add/starter/pack',
  summary: 'Adds the items of a starter pack that the company lacks',
  access,
  body: z.object({ companyId, language, pack }),
  response: z.extend(done, {
    added: z.int(),
    drafts: z.int(),
    existing: z.int(),
    /** Departments that the municipality gets, because it had none. */
    departments: z.int(),
  }),
})

/** Compares the items of a pack with the newer entries. Items that already have the newer text count as updated. */
export const compareStarterPack = endpoint({
  path: 'muni/compare/starter/pack',
  summary: 'Returns the items of a starter pack that have a newer text, with the differences',
  access,
  body: z.object({ companyId, language, pack }),
  response: z.object({
    items: z.array(
      z.object({
        key: z.string(),
        title: z.string(),
        differences: z.array(difference),
        /** Hash of the differences. If they changed since, the item is not saved. */
        digest: z.string(),
      }),
    ),
  }),
})

/** Takes the newer text of an item, or keeps the item as it is. */
export const updateStarterItem = formCall({
  path: 'muni/update/starter/item',
  summary: 'Takes the newer text of an item of a starter pack, or keeps its text',
  access,
  body: z.object({
    companyId,
    language,
    pack,
    key: z.string().check(z.maxLength(100)),
    /** False to keep the item as it is. The text is not offered again. */
    take: z.boolean(),
    /** Choice for each part that staff changed too: their own text, or the new one. */
    choices: z._default(z.record(z.string().check(z.maxLength(200)), z.enum(['own', 'new'])), {}),
    digest: z.string().check(z.maxLength(64)),
  }),
})
