import type { Feature } from '../../server/feature.ts'
import { noticeCalls } from './server/list-notices.ts'
import { releaseAddressCall } from './server/release-address.ts'
import { repeatNoticeCall } from './server/repeat-notice.ts'

export const notices: Feature = {
  calls: [...noticeCalls, releaseAddressCall, repeatNoticeCall],
  demo: () => import('./demo.ts'),
}
