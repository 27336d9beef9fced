import type * as z from 'zod/mini'
import { auditIn, type Doer } from '../../../server/audit.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { changesOf, same, sectionNames } from '../report.ts'
import { type ConfigOf, type Section, townConfig } from '../rules.ts'
import { stored } from './stored.ts'

export type Origin = 'form' | 'logo' | 'put_back' | 'import'

interface Saving<S extends Section> {
  section: S
  value: ConfigOf<S>
  origin?: Origin
  /** The version that somebody looked at before; null where nobody did. */
  basis?: number | undefined
}

/**
 * Saves one section in the caller's transaction: writes it where it is kept, a version, and the audit log.
 * @returns the new version's number, or null where nothing differs
 * @throws 409 where it was saved by somebody else since `basis`
 */
export async function saveSection<S extends Section>(
  tx: Tx,
  { clock }: Pick<House, 'clock'>,
  doer: Doer,
  company: CompanyId,
  { section, value, origin = 'form', basis }: Saving<S>,
): Promise<number | null> {
  // One change of a town after the other, so that each version's "before" is the "after" of the one before it.
  await tx.selectFrom('company').select('id').where('id', '=', company).forUpdate().execute()
  if (basis !== undefined) await refuseStale(tx, company, section, basis)
  const store = stored[section]
  const before = await store.read(tx, company)
  if (same(before, value)) return null
  await store.write(tx, company, value)
  // As it was kept: HTML was made safe, a phone number lost its dashes.
  const after = await store.read(tx, company)
  if (same(before, after)) return null
  const { session } = doer
  const { id } = await tx
    .insertInto('company_config_version')
    .values({
      company_id: company,
      at: clock.now(),
      actor_kind: session?.kind ?? 'system',
      actor_id: session?.impersonatorId ?? session?.personId ?? null,
      actor_name: session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet',
      ...{ section, origin, before: JSON.stringify(before), after: JSON.stringify(after) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await auditIn(tx, clock, company, doer, {
    action: 'company.config_saved',
    subject: { kind: 'settings', id: section },
    detail: { version: id, fields: changesOf(before, after).map((change) => change.field), origin },
  })
  await announceCompanyChange(tx)
  return id
}

async function refuseStale(tx: Tx, company: CompanyId, section: Section, basis: number): Promise<void> {
  const newer = await tx
    .selectFrom('company_config_version')
    .select(['id', 'actor_name'])
    .where('company_id', '=', company)
    .where('section', '=', section)
    .where('id', '>', basis)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (newer)
    throw conflict(
      'changed_meanwhile',
      `${newer.actor_name} saved ${sectionNames[section]} after you opened it, so nothing of yours was saved. Copy what you need, press Discard to see what is saved now, and change it there.`,
      { version: newer.id },
    )
}

/**
 * What a section's schema makes of values from outside.
 * @throws 422 with a sentence for each wrong field, in the form's order
 */
export function checkSection<S extends Section>(section: S, values: unknown): ConfigOf<S> {
  const parsed = townConfig[section].safeParse(values)
  if (parsed.success) return parsed.data as ConfigOf<S>
  const wrong = sentencesOf(parsed.error)
  throw rejected(Object.values(wrong)[0] ?? 'This could not be read.', wrong)
}

/** The sentence for the first wrong thing of each field. */
export function sentencesOf(error: z.core.$ZodError): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const issue of error.issues) wrong[issue.path.join('.') || 'section'] ??= issue.message
  return wrong
}

/** After the commit: this portal must not answer from its cache even before the notice arrives. */
export const forgetTown = (house: House): void => house.hosts.forget()
