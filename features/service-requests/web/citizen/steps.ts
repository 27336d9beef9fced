import type * as z from 'zod/mini'
import type { Answers } from '../../../../shared/fields/answer.ts'
import type { Definition } from '../../../../shared/fields/definition.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { dropDraft, readDraft, writeDraft } from '../../../../web/drafts.ts'
import type { nearRequests, requestChoices, sendRequest, reportForm, whereForm } from '../../contract.ts'

export type Choices = ResponseOf<typeof requestChoices>
export type SendRequestResponse = ResponseOf<typeof sendRequest>
export type NearbyRequest = ResponseOf<typeof nearRequests>['requests'][number]
export type LocationForm = z.output<typeof whereForm>
export type DetailsForm = z.output<typeof reportForm>

/** Questions of a category, in the version that was current when the person started the report. */
export interface Questions {
  definition: Definition
  version: number
  today: string
}

/**
 * Progress of a report. Stored in the browser with the typed text, so that the report survives a reload or an expired
 * session.
 */
export interface Report {
  step: 'where' | 'near' | 'questions' | 'details' | 'review'
  where?: LocationForm
  near?: NearbyRequest[]
  questions?: Questions
  answers?: Answers
  details?: DetailsForm
}

export const STEPS_DRAFT = 'request-steps'
export const WHERE_DRAFT = 'request-where'
export const REPORT_DRAFT = 'request-tell'
export const questionsDraft = ({ where, questions }: Report): string =>
  `request-ask-${where?.categoryId ?? 0}-${questions?.version ?? 0}`

export const hasQuestions = (questions: Questions | undefined): boolean =>
  questions?.definition.steps.some(({ fields }) => fields.length > 0) ?? false

const draftsOf = (report: Report): string[] => [STEPS_DRAFT, WHERE_DRAFT, REPORT_DRAFT, questionsDraft(report)]

/**
 * Restores an unfinished report. If a guest started the report and then signed in, the report moves to the signed-in
 * person.
 */
export function startedReport(owner: string): Report {
  const guestReport = readDraft<Report>(STEPS_DRAFT, 'guest')
  if (guestReport && owner !== 'guest' && readDraft(STEPS_DRAFT, owner) === null) {
    for (const name of draftsOf(guestReport)) writeDraft(name, readDraft(name, 'guest'), owner)
    forgetReport(guestReport, 'guest')
  }
  return readDraft<Report>(STEPS_DRAFT, owner) ?? { step: 'where' }
}

/** Removes all drafts of a report from the browser after the report was sent. */
export function forgetReport(report: Report, owner?: string): void {
  for (const name of draftsOf(report)) dropDraft(name, owner)
}
