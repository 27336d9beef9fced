import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { supportRequest } from '../../contract.ts'

export type Details = AnswerOf<typeof supportRequest>
