import type * as z from 'zod/mini'
import type { Answers } from '../../../../shared/fields/answer.ts'
import type { Definition } from '../../../../shared/fields/definition.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { dropDraft, readDraft, writeDraft } from '../../../../web/drafts.ts'
import type { nearRequests, requestChoices, sendRequest, tellForm, whereForm } from '../../contract.ts'

export type Choices = ResponseOf<typeof requestChoices>
export type SendRequestResponse = ResponseOf<typeof sendRequest>
export type NearbyRequest = ResponseOf<typeof nearRequests>['requests'][number]
export type LocationForm = z.output<typeof whereForm>
export type DetailsForm = z.output<typeof tellForm>

/** What is asked besides of a category, as it was when somebody began. */
export interface Questions {
  definition: Definition
  version: number
  today: string
}

/** How far somebody is who reports something. Kept with what they typed, over a reload or an expired session. */
export interface Report {
  step: 'where' | 'near' | 'ask' | 'tell' | 'look'
  where?: LocationForm
  near?: NearbyRequest[]
  questions?: Questions
  answers?: Answers
  told?: DetailsForm
}

export const STEPS_DRAFT = 'request-steps'
export const WHERE_DRAFT = 'request-where'
export const TELL_DRAFT = 'request-tell'
export const askDraft = ({ where, questions }: Report): string =>
  `request-ask-${where?.categoryId ?? 0}-${questions?.version ?? 0}`

export const hasQuestions = (questions: Questions | undefined): boolean =>
  questions?.definition.steps.some(({ fields }) => fields.length > 0) ?? false

const draftsOf = (report: Report): string[] => [STEPS_DRAFT, WHERE_DRAFT, TELL_DRAFT, askDraft(report)]

/** How far somebody came before, here or as a guest who has signed in since: what the guest began is theirs from now on. */
export function begunReport(owner: string): Report {
  const begunAsGuest = readDraft<Report>(STEPS_DRAFT, 'guest')
  if (begunAsGuest && owner !== 'guest' && readDraft(STEPS_DRAFT, owner) === null) {
    for (const name of draftsOf(begunAsGuest)) writeDraft(name, readDraft(name, 'guest'), owner)
    forgetReport(begunAsGuest, 'guest')
  }
  return readDraft<Report>(STEPS_DRAFT, owner) ?? { step: 'where' }
}

/** After it was sent nothing of it stays in the browser. */
export function forgetReport(report: Report, owner?: string): void {
  for (const name of draftsOf(report)) dropDraft(name, owner)
}
