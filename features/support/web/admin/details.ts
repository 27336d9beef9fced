import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { supportAssignees, supportRequest } from '../../contract.ts'

export type Details = AnswerOf<typeof supportRequest>
export type People = AnswerOf<typeof supportAssignees>['people']

/** Does one thing about the request at a time and says what came of it. */
export type Act = (work: () => Promise<{ message: string }>) => Promise<void>
