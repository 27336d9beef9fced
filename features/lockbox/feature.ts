import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { lockboxFiles } from './contract.ts'
import { lockboxCalls } from './server/calls.ts'
import { takeLockboxFileCall } from './server/take-file.ts'
import { verifyLockbox } from './server/verify-lockbox.ts'

export const lockbox: Feature = {
  calls: [takeLockboxFileCall, ...lockboxCalls, ...partCalls(lockboxFiles)],
  verify: verifyLockbox,
  demo: () => import('./demo.ts'),
}
