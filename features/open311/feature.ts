import type { Feature } from '../../server/feature.ts'
import { mountOpen311 } from './server/mount.ts'

export const open311: Feature = { mount: [mountOpen311] }
