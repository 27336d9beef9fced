import { callsOfCase } from '../../server/cases/calls.ts'
import { ongoingCases } from '../../server/cases/mine.ts'
import type { Feature } from '../../server/feature.ts'
import { formPost, SAME_PAGE } from '../../server/form-posts.ts'
import { answerAsOwner, moveCase, withdrawMove } from './contract.ts'
import { moves } from './server/case.ts'
import { staffCalls, moveLists } from './server/staff-calls.ts'
import { feeCalls } from './server/fee.ts'
import { findableMoves } from './server/findable.ts'
import { ownMoveCalls } from './server/mine.ts'
import { ownerCalls } from './server/owner.ts'
import { sendCalls } from './server/send.ts'
import { settingsCalls } from './server/settings.ts'
import { moveLookup } from './server/lookup.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { moveStates } from './states.ts'

const REQUEST = '/relocate/request/{token}'

export const moving: Feature = {
  module: 'moves',
  lookups: [moveLookup],
  openRecords: { table: 'move_request', column: 'status', states: openStatesOf(moveStates) },
  calls: [
    ...callsOfCase(moves),
    ...moveLists,
    ...sendCalls,
    ...ownMoveCalls,
    ...ownerCalls,
    ...staffCalls,
    ...settingsCalls,
    ...feeCalls,
  ],
  formPosts: [
    formPost({ path: REQUEST, endpoint: moveCase.message, next: SAME_PAGE }),
    formPost({ path: REQUEST, endpoint: withdrawMove, next: SAME_PAGE }),
    formPost({
      path: '/relocate/owner/{token}',
      endpoint: answerAsOwner,
      body: ({ token = '', agrees, signed = '', standsIn }) => ({
        ...{ token, signed, agrees: agrees as 'yes' },
        standsIn: standsIn !== undefined,
      }),
    }),
  ],
  findable: [findableMoves],
  ongoingItems: [ongoingCases(moves)],
  awaitingStaff: [
    {
      label: 'Moves to complete',
      to: '/municipality/reports/move-in-out?status=Pending',
      policy: 'moves',
      table: 'move_request',
      status: 'Pending',
    },
  ],
  demo: () => import('./demo.ts'),
  // Expired links are deleted immediately, because their hashes have no further use.
  retention: [{ table: 'move_owner_link', since: 'expires_at', days: 0 }],
}
