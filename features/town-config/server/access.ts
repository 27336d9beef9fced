import { notAllowed } from '../../../server/errors.ts'
import type { Session } from '../../../server/sessions.ts'
import { same, type Values } from '../../../shared/edits.ts'
import { say, translated } from '../../../shared/messages.ts'
import { missingPermission } from '../../../shared/privilege-labels.ts'
import { labelOf } from '../report.ts'
import { missingToChange, reservedFields, type Section, type SettingsReader } from '../rules.ts'

export const readerOf = ({ kind, privileges }: Session): SettingsReader => ({
  isPlatform: kind === 'platform',
  privileges,
})

/**
 * Refuses a person who may not change the section.
 * @throws 403 with the missing privilege
 */
export function refuseSection(session: Session, section: Section): void {
  if (session.kind === 'citizen') throw notAllowed()
  const missing = missingToChange(section, readerOf(session))
  if (missing) throw notAllowed(missingPermission(missing, session.kind))
}

/**
 * Refuses a change that the person may not make.
 * @throws 403 with the missing privilege, or with the name of each changed setting that only the platform may change
 */
export function refuseReserved(session: Session, section: Section, before: Values, after: Values): void {
  refuseSection(session, section)
  const reader = readerOf(session)
  const changed = reservedFields(section, reader, before).filter((field) => !same(before[field], after[field]))
  if (changed.length === 0) return
  const messageOf = (labels: string) => say`Only Mainstreet can change “${labels}”. Send a support request.`
  throw notAllowed(
    messageOf(changed.map((field) => translated(labelOf(field))).join('”, “')),
    Object.fromEntries(changed.map((field) => [field, messageOf(translated(labelOf(field)))])),
  )
}
