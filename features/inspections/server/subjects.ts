import type { LocationValue } from '../../../shared/places.ts'
import { notFound } from '../../../server/errors.ts'
import type { Call } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { LOCATION } from '../rules.ts'

/** Result of an inspection, for the feature that owns the subject. */
export interface InspectionResult {
  subjectId: number
  number: string
  /** Day on which the inspection was finished, in the company's time zone. */
  on: string
  hasPassed: boolean
  /** Interval of the template in months. Null if its inspections do not recur. */
  everyMonths: number | null
}

/**
 * Type of entity that can be inspected. The feature that owns the entity declares the type, so the inspections feature
 * does not import other features.
 */
export interface InspectionSubject {
  /** Stored as `subject_kind` in the inspection and in the work orders it opens. */
  kind: string
  label: string
  /** Lists the subjects to choose from, by name. */
  list(tx: Tx, company: CompanyId): Promise<{ id: number; name: string }[]>
  /** Finds a subject. Null if the company has no subject with this id. */
  find(tx: Tx, company: CompanyId, id: number): Promise<{ name: string; location: LocationValue } | null>
  /** Path of the subject's page for staff. */
  path(id: number): string
  /** Receives the result in the transaction that finishes the inspection, and sets the next due date. */
  onFinished(tx: Tx, call: Call, inspected: InspectionResult): Promise<unknown>
}

const subjects = new Map<string, InspectionSubject>()

/** Declares a type of entity that can be inspected. Called once for each type. */
export function defineInspectionSubject(subject: InspectionSubject): InspectionSubject {
  subjects.set(subject.kind, subject)
  return subject
}

/** Returns the declaration of a kind. Null for `LOCATION` and for a kind that is no longer declared. */
export const subjectOf = (kind: string): InspectionSubject | null => subjects.get(kind) ?? null

export const LOCATION_LABEL = 'A place'

/** Returns every kind with its label. The kind for a location comes first. */
export const subjectKinds = (): { kind: string; label: string }[] => [
  { kind: LOCATION, label: LOCATION_LABEL },
  ...[...subjects.values()].map(({ kind, label }) => ({ kind, label })),
]

/** @throws 404 if the subject does not exist */
export async function findSubject(tx: Tx, company: CompanyId, kind: string, id: number | null) {
  const subject = id === null ? null : await subjectOf(kind)?.find(tx, company, id)
  if (!subject) throw notFound('The subject of the inspection was not found. Choose it again.')
  return subject
}
