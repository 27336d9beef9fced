import type { DemoPart } from '../../server/demo.ts'
import { demoSteps } from '../rentals/demo-steps.ts'
import { addAgreements, addQuestions } from './demo-agreements.ts'
import { addCertificates } from './demo-certificates.ts'

demoSteps.push({
  beforeReservations: addQuestions,
  afterReservations: addAgreements,
  afterCommit: addCertificates,
})

/** Loads within the steps of rentals. */
export const demo: DemoPart = {}
