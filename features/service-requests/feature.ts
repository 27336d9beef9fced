import type { Feature } from '../../server/feature.ts'
import { callsOfCase } from '../../server/cases/calls.ts'
import { requests } from './server/case.ts'
import { deskCalls } from './server/desk.ts'

export const serviceRequests: Feature = {
  calls: [...callsOfCase(requests), ...deskCalls],
}
