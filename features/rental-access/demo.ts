import type { DemoPart } from '../../server/demo.ts'
import { demoSteps } from '../rentals/demo-steps.ts'
import { addAgreements, addQuestions } from './demo-agreements.ts'
import { addCertificates } from './demo-certificates.ts'

demoSteps.push({
  beforeReservations: addQuestions,
  afterReservations: addAgreements,
  afterCommit: addCertificates,
})

/** Empty, because the demo of rentals adds this feature's data in its own steps. */
export const demo: DemoPart = {}
