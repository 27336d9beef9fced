import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { supportRequest } from '../../contract.ts'

export type Details = ResponseOf<typeof supportRequest>
