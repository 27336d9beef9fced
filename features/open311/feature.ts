import type { Feature } from '../../server/feature.ts'
import { mountOpen311 } from './server/mount.ts'
import { mountPhotos } from './server/photos.ts'
import { openPortalCalls } from './server/portals.ts'
import { defineOpen311Jobs } from './server/round.ts'
import { sentCalls } from './server/sent.ts'
import { open311SettingsCalls } from './server/settings.ts'

export const open311: Feature = {
  module: 'requests',
  calls: [...openPortalCalls, ...open311SettingsCalls, ...sentCalls],
  mount: [mountOpen311, mountPhotos],
  jobs: defineOpen311Jobs,
  demo: () => import('./demo.ts'),
}
