import type * as z from 'zod/mini'
import type { Values } from '../../../shared/edits.ts'
import { same } from '../../../shared/edits.ts'
import { say, translated } from '../../../shared/messages.ts'
import { auditCompany, type Actor } from '../../../server/audit.ts'
import { type Edit, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { changesOf, sectionNames } from '../report.ts'
import { type ConfigOf, type Section, sectionSchemas } from '../rules.ts'
import { refuseReserved } from './access.ts'
import { namesOf } from './names.ts'
import { toStored, stored } from './stored.ts'

export type Origin = 'form' | 'logo' | 'restored' | 'import' | 'go_online'

interface SectionInput<S extends Section> {
  section: S
  value: ConfigOf<S>
  origin?: Origin
  /** Section as it was when the form was opened. */
  basis?: Values | undefined
  /** Returns the name of a setting's form field. Needed only if the two names differ. */
  formName?: (field: string) => string
}

/**
 * Saves one section in the caller's transaction. Also adds a version and an audit entry.
 * @returns the new version, or null if nothing differs
 * @throws 403 if the actor may not change the section or one of the changed settings
 * @throws 409 if someone else changed the same field
 */
export async function saveSection<S extends Section>(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  actor: Actor,
  company: CompanyId,
  { section, value: sent, origin = 'form', basis, formName }: SectionInput<S>,
): Promise<number | null> {
  await lockCompany(tx, company)
  const store = stored[section]
  const before = await store.read(tx, company)
  const edit: Edit = { tx, clock, actor, company, subject: 'settings' }
  const names = basis ? await namesOf(tx, company) : {}
  const value = checkSection(
    section,
    await mergeEdit(edit, {
      ...{ basis, now: before, own: toStored(section, sent) },
      ...(formName && { formName }),
      labelsOf: (field, others, own) => {
        const [change] = changesOf({ [field]: others }, { [field]: own }, names)
        return change ? { label: change.label, texts: { own: change.new, others: change.old } } : {}
      },
    }),
  )
  if (same(before, value)) return null
  // The buttons of Get Started check the person's permission themselves.
  if (actor.session && origin !== 'go_online') refuseReserved(actor.session, section, before, value)
  await store.write(tx, company, value)
  // Reads the section again, because storing it sanitizes HTML and removes dashes from phone numbers.
  const after = await store.read(tx, company)
  if (same(before, after)) return null
  await recordChanges(edit, before, after)
  const { session } = actor
  const { id } = await tx
    .insertInto('company_config_version')
    .values({
      company_id: company,
      at: clock.now(),
      // The id of an impersonator belongs to the platform's staff.
      actor_kind: session?.impersonatorId ? 'platform' : (session?.kind ?? 'system'),
      actor_id: session?.impersonatorId ?? session?.personId ?? null,
      actor_name: session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet',
      ...{ section, origin, before: JSON.stringify(before), after: JSON.stringify(after) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await auditCompany(tx, clock, company, actor, {
    action: 'company.config_saved',
    subject: { kind: 'settings', id: section },
    detail: { version: id, fields: changesOf(before, after).map((change) => change.field), origin },
  })
  await announceCompanyChange(tx)
  return id
}

/** Serializes changes to a company's settings, so that each version starts from the result of the previous version. */
export const lockCompany = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('company').select('id').where('id', '=', company).forNoKeyUpdate().execute()

/**
 * Checks before a restore or an import that the comparison is still current.
 * @throws 409 if one of these sections was saved after version `basis`
 */
export async function refuseStale(tx: Tx, company: CompanyId, among: readonly Section[], basis: number): Promise<void> {
  await lockCompany(tx, company)
  const newer = await tx
    .selectFrom('company_config_version')
    .select(['section', 'actor_name'])
    .where('company_id', '=', company)
    .where('section', 'in', among)
    .where('id', '>', basis)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (newer)
    throw conflict(
      'compared_before',
      say`${newer.actor_name} saved “${translated(sectionNames[newer.section as Section])}” after you compared the settings, so nothing was changed. Close this panel and compare again.`,
    )
}

/**
 * Parses untrusted values with the section's schema.
 * @throws 422 with a message for each wrong field, in the form's order
 */
export function checkSection<S extends Section>(section: S, values: unknown): ConfigOf<S> {
  const parsed = sectionSchemas[section].safeParse(values)
  if (parsed.success) return parsed.data as ConfigOf<S>
  const errors = sentencesOf(parsed.error)
  throw rejected(Object.values(errors)[0] ?? 'These settings could not be read. Reload the page and try again.', errors)
}

/** Returns the first message for each invalid field. */
export function sentencesOf(error: z.core.$ZodError): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const issue of error.issues) errors[issue.path.join('.') || 'section'] ??= issue.message
  return errors
}

/** Clears this server's cache of the company after the commit, without waiting for the database notification. */
export const forgetCompany = (context: AppContext): void => context.hosts.forget()
