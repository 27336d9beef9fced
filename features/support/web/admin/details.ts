import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { supportCase, supportRequest } from '../../contract.ts'

export type Details = AnswerOf<typeof supportRequest>
export type People = AnswerOf<typeof supportCase.assignees>['people']
