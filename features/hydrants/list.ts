import * as z from 'zod/mini'
import { choice, day, defineList, fact, filters, flag, text, whole } from '../../shared/list.ts'
import { viewAccess, viewNotes } from './contract.ts'
import { classLabels, inspectionLabels, noteLabels } from './rules.ts'
import { hydrantStates } from './states.ts'

/** The company's hydrants with their inspections and flow classes. */
export const hydrants = defineList('muni/return/hydrants', 'Hydrants', {
  nouns: ['hydrant', 'hydrants'],
  summary: 'Lists the hydrants of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    number: text('Number', { primary: true, sort: 'asc', chars: 9 }),
    location: text('Location', { chars: 24 }),
    status: choice('Status', inspectionLabels, { group: true, priority: 1 }),
    service: choice('Service', hydrantStates.labels, { group: true, priority: 1 }),
    make: text('Make', { group: true, priority: 3 }),
    model: text('Model', { hidden: true }),
    size: text('Size', { chars: 5, priority: 4, group: true }),
    main: text('Water main size', { chars: 5, priority: 4, group: true }),
    lastInspected: day('Last inspection', { priority: 3 }),
    nextInspection: day('Next inspection', { sort: 'asc', priority: 2 }),
    tested: day('Flow test', { priority: 4 }),
    available: whole('GPM at 20 psi', { priority: 2 }),
    flowClass: text('Class', { group: true, chars: 4, priority: 2 }),
  },
  usualSort: 'number',
  filters: {
    status: filters.choice('Status', inspectionLabels, 'All statuses'),
    service: filters.choice('Service', hydrantStates.labels, 'All hydrants'),
    flowClass: filters.choice('Class', classLabels, 'All classes'),
  },
  search: 'Number, location or make',
  csv: { path: 'muni/export/hydrants', file: 'hydrants' },
})

/** Flow tests of all hydrants, with flows calculated according to NFPA 291. */
export const flowTests = defineList('muni/return/flow/tests', 'Flow Tests', {
  nouns: ['flow test', 'flow tests'],
  summary: 'Lists the hydrant flow tests with readings and calculated flows',
  access: viewAccess,
  ofCompany: true,
  columns: {
    testedOn: day('Tested', { sort: 'desc', priority: 1 }),
    number: text('Hydrant', { primary: true, chars: 9 }),
    location: text('Location', { priority: 3 }),
    staticPsi: text('Static psi', { chars: 5, priority: 3 }),
    residualPsi: text('Residual psi', { chars: 5, priority: 3 }),
    outlets: text('Outlets', { hidden: true }),
    flow: whole('Flow, GPM', { priority: 3 }),
    available: whole('GPM at 20 psi', { priority: 1 }),
    flowClass: choice('Class', classLabels, { group: true, priority: 2 }),
    testedBy: text('Tested by', { group: true, priority: 4 }),
    voided: flag('Voided', { priority: 4 }),
    hydrantId: fact(z.number()),
  },
  usualSort: 'testedOn',
  days: { column: 'testedOn', label: 'Tested' },
  filters: {
    flowClass: filters.choice('Class', classLabels, 'All classes'),
    voided: filters.flag('Voided only'),
  },
  search: 'Tester or flow location',
  csv: { path: 'muni/export/flow/tests', file: 'hydrant-flow-tests' },
})

const statusLabels = { in_force: 'Active', ended: 'Ended' }

/** Premise notes without their text. Staff open each text separately, so that each view is logged. */
export const premiseNotes = defineList('muni/return/premise/notes', 'Premise Notes', {
  nouns: ['note', 'notes'],
  summary: 'Lists the premise notes without their text',
  access: viewNotes,
  ofCompany: true,
  personal: true,
  columns: {
    location: text('Location', { primary: true, sort: 'asc' }),
    kind: choice('About', noteLabels, { group: true, priority: 1 }),
    confirmOn: day('Confirmation due', { sort: 'asc', priority: 1 }),
    agreedOn: day('Consent date', { priority: 3 }),
    views: whole('Times viewed', { priority: 3 }),
    status: choice('Status', statusLabels, { priority: 4 }),
  },
  usualSort: 'confirmOn',
  filters: {
    kind: filters.choice('About', noteLabels, 'All kinds'),
    status: filters.choice('Status', statusLabels, 'Active and ended', 'in_force'),
  },
  search: 'Location',
})
