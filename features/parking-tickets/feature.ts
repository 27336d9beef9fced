import type { Feature } from '../../server/feature.ts'
import { formPost, SAME_PAGE } from '../../server/form-posts.ts'
import { callsOfCase } from '../../server/cases/calls.ts'
import { contests } from './server/case.ts'
import { changeStatusCall, setHearingCall } from './server/change-status.ts'
import { contestTicketCall, enterContestCall } from './server/contest-ticket.ts'
import { enterTicketCall, saveTicketCall } from './server/enter-ticket.ts'
import { extendContestCall } from './server/extend-contest.ts'
import { findTicketsCall, payTicketCall, seePhotoCall } from './server/find-tickets.ts'
import { importTicketsCall } from './server/import-tickets.ts'
import { bootLists, reportLists, ticketLists, violationLists } from './server/lists.ts'
import { photoCalls } from './server/photos.ts'
import { saveSettingsCall, settingsCall } from './server/settings.ts'
import { showContestCall, showTicketCall } from './server/show-ticket.ts'
import { contestCase, findTickets } from './contract.ts'
import { defineParkingJobs } from './server/apply-late-steps.ts'
import { saveViolationCall } from './server/violations.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { ticketStates } from './states.ts'
import { parkingSteps } from './server/setup-steps.ts'
import './server/import-violations.ts'
import { violationPack } from './server/pack.ts'
import { ticketLookup } from './server/lookup.ts'

export const parkingTickets: Feature = {
  module: 'parking',
  lookups: [ticketLookup],
  openRecords: { table: 'parking_ticket', column: 'status', states: openStatesOf(ticketStates) },
  setup: parkingSteps,
  calls: [
    findTicketsCall,
    payTicketCall,
    seePhotoCall,
    contestTicketCall,
    ...ticketLists,
    ...reportLists,
    ...bootLists,
    ...violationLists,
    showTicketCall,
    showContestCall,
    enterTicketCall,
    saveTicketCall,
    changeStatusCall,
    enterContestCall,
    extendContestCall,
    setHearingCall,
    ...photoCalls,
    saveViolationCall,
    settingsCall,
    saveSettingsCall,
    importTicketsCall,
    ...callsOfCase(contests),
  ],
  formPosts: [
    ...['/parking-tickets', '/parking-ticket-payment'].map((path) => formPost({ path, endpoint: findTickets })),
    formPost({ path: '/parking-ticket-contest/{token}', endpoint: contestCase.message, next: SAME_PAGE }),
  ],
  jobs: defineParkingJobs,
  packs: [violationPack],
  demo: () => import('./demo.ts'),
}
