import type { Feature } from '../../server/feature.ts'
import { callsOfBoth } from './server/calls.ts'
import { municipalityUsersCall, staffLists } from './server/list-staff.ts'
import { loginReportCalls } from './server/login-report.ts'
import { roleCalls } from './server/roles.ts'
import { staffSteps } from './server/setup-steps.ts'
import './server/import-staff.ts'
import { staffLookup } from './server/lookup.ts'

export const staff: Feature = {
  lookups: [staffLookup],
  setup: staffSteps,
  calls: [...callsOfBoth, municipalityUsersCall, ...staffLists, ...roleCalls, ...loginReportCalls],
}
