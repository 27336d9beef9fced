import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { lockboxFiles } from './contract.ts'
import { lockboxCalls } from './server/calls.ts'
import { importLockboxFileCall } from './server/take-file.ts'
import { verifyLockbox } from './server/verify-lockbox.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { lockboxStates } from './states.ts'

export const lockbox: Feature = {
  module: 'lockbox',
  openRecords: { table: 'lockbox_payment', column: 'state', states: openStatesOf(lockboxStates) },
  calls: [importLockboxFileCall, ...lockboxCalls, ...partCalls(lockboxFiles)],
  verify: verifyLockbox,
  demo: () => import('./demo.ts'),
}
