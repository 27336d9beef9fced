import type { Feature } from '../../server/feature.ts'
import { noticeCalls } from './server/list-notices.ts'
import { releaseAddressCall } from './server/release-address.ts'

export const notices: Feature = {
  calls: [...noticeCalls, releaseAddressCall],
  demo: () => import('./demo.ts'),
}
