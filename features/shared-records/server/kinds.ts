import { type Call, signedIn } from '../../../server/call.ts'
import {
  type Content,
  type ContentKind,
  contentKindNamed,
  settingsOf,
  titleField,
  titleOf,
} from '../../../server/contents.ts'
import { settingText } from '../../../server/content-differences.ts'
import { notAllowed, notFound, rejected } from '../../../server/errors.ts'
import { isAreaOn } from '../../../server/modules.ts'
import type { Values } from '../../../shared/edits.ts'
import { say, translated } from '../../../shared/messages.ts'
import { missingPermission } from '../../../shared/privilege-labels.ts'
import { may } from '../../../shared/privileges.ts'

/**
 * Finds a kind of records for a person who may create such records.
 * @throws 404 if the module of the kind is off, 403 if the person may not create such records
 */
export function kindFor(call: Call, name: string): ContentKind {
  const kind = contentKindNamed(name)
  if (!kind || !isAreaOn(call.company, kind.area)) throw notFound('These records do not exist. Reload the page.')
  const needs = [kind.area, kind.permission] as const
  if (!may(signedIn(call).privileges, ...needs)) throw notAllowed(missingPermission(needs, 'municipality'))
  return kind
}

/**
 * Checks the settings of a record together.
 * @throws 422 with a sentence that names the setting
 */
export function checkSettings(kind: ContentKind, form: Values): Record<string, unknown> {
  const read = kind.schema.safeParse(kind.complete?.(form) ?? form)
  if (read.success) return settingsOf(kind, read.data as Values)
  const [issue] = read.error.issues
  const field = String(issue?.path[0] ?? '')
  const label = translated(kind.settings[field] ?? field)
  throw rejected(say`${label}: ${translated(issue?.message ?? '')}`)
}

/** Describes the content of a new record. */
export const previewOf = (kind: ContentKind, { settings, questions }: Content) => ({
  title: titleOf(kind, { settings }),
  settings: Object.entries(kind.settings).flatMap(([field, label]) => {
    const text = field === titleField(kind) ? '' : settingText(kind, field, settings[field])
    return text === '' ? [] : [{ label: translated(label), text }]
  }),
  steps: (questions?.steps ?? []).map(({ title, fields }) => ({
    title,
    questions: fields.map((field) => field.label || (field.type === 'reading' ? field.text : field.name)),
  })),
})
