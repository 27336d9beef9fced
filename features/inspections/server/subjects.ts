import type { PlaceValue } from '../../../shared/places.ts'
import { notFound } from '../../../server/errors.ts'
import type { Call } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { PLACE } from '../rules.ts'

/** What came of an inspection, as its subject hears of it. */
export interface InspectionResult {
  subjectId: number
  number: string
  /** The town's day. */
  on: string
  hasPassed: boolean
  /** Of its template; null where it does not come again. */
  everyMonths: number | null
}

/** A kind of things that are inspected: of a feature above this one, which nothing here knows. */
export interface InspectionSubject {
  /** As `subject_kind` of the inspection, and of the work orders that it opens. */
  kind: string
  label: string
  /** What can be chosen, by name. */
  things(tx: Tx, company: CompanyId): Promise<{ id: number; name: string }[]>
  /** Null where the town has none of that number. */
  find(tx: Tx, company: CompanyId, id: number): Promise<{ name: string; place: PlaceValue } | null>
  /** Where staff find it. */
  path(id: number): string
  /** Hears in the same transaction what came of it, and says when it is due again. */
  onFinished(tx: Tx, call: Call, inspected: InspectionResult): Promise<unknown>
}

const subjects = new Map<string, InspectionSubject>()

/** Declares, once, a kind of things that can be inspected. */
export function defineInspectionSubject(subject: InspectionSubject): InspectionSubject {
  subjects.set(subject.kind, subject)
  return subject
}

/** Null of a place, and of a kind that nobody declares any more. */
export const subjectOf = (kind: string): InspectionSubject | null => subjects.get(kind) ?? null

export const PLACE_LABEL = 'A place'

/** Every kind with its label, a place first. */
export const subjectKinds = (): { kind: string; label: string }[] => [
  { kind: PLACE, label: PLACE_LABEL },
  ...[...subjects.values()].map(({ kind, label }) => ({ kind, label })),
]

/** @throws 404 */
export async function findSubject(tx: Tx, company: CompanyId, kind: string, id: number | null) {
  const found = id === null ? null : await subjectOf(kind)?.find(tx, company, id)
  if (!found) throw notFound('What is to be inspected was not found. Choose it again.')
  return found
}
