import { definitionOf, packEntries } from '../../server/packs.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { type FormEntry, settingsOf } from './server/pack.ts'
import type { TemplateSettings } from './rules.ts'

/** Questions and settings of a form of the starter pack, for form templates of the platform. */
export interface PackForm {
  key: string
  title: string
  definition: Definition
  settings: TemplateSettings
}

/** Lists the forms of the starter pack. */
export const packForms = (): PackForm[] =>
  packEntries<FormEntry>('forms').map(({ key, ...entry }) => {
    const {
      title,
      description: _text,
      departmentId: _department,
      reviewerId: _reviewer,
      ...settings
    } = settingsOf(entry)
    return { key, title, definition: definitionOf(entry.steps), settings }
  })
