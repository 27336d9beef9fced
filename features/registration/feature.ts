import './server/apply-move.ts'
import './server/import-registrations.ts'
import type { Feature } from '../../server/feature.ts'
import { emergencyCall } from './server/emergency.ts'
import { fieldCalls } from './server/fields.ts'
import { REPORT_PATH } from './rules.ts'
import { findableRegistrations } from './server/findable.ts'
import { defineRegistrationJob } from './server/review-registrations.ts'
import { ownCalls } from './server/mine.ts'
import { settingsCalls } from './server/settings.ts'
import { staffCalls } from './server/staff.ts'
import { transferCalls } from './server/transfer.ts'
import { startedRegistrations, ongoingRegistrations } from './server/ongoing.ts'
import './server/inspected.ts'
import { registrationLookup } from './server/lookup.ts'

export const registration: Feature = {
  module: 'registration',
  lookups: [registrationLookup],
  openRecords: { table: 'registration', column: 'status', states: ['pending', 'more_info_needed'] },
  calls: [...ownCalls, ...transferCalls, ...staffCalls, ...fieldCalls, ...settingsCalls, emergencyCall],
  findable: [findableRegistrations],
  ongoingItems: [startedRegistrations, ongoingRegistrations],
  awaitingStaff: [
    {
      label: 'Registrations to verify',
      to: `${REPORT_PATH}?status=pending`,
      policy: 'registration',
      table: 'registration',
      status: 'pending',
    },
  ],
  jobs: defineRegistrationJob,
  retention: [
    // Deletes details about people who left an address long ago.
    { table: 'registration_snapshot', since: 'at', days: 7 * 366 },
    { table: 'registration_offer', since: 'expires_at', days: 30 },
  ],
  demo: () => import('./demo.ts'),
}
