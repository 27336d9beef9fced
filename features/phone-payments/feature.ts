import type { Feature } from '../../server/feature.ts'
import { phoneCallsCalls } from './server/list.ts'
import { phonePinCall, removePhonePinCall, setPhonePinCall } from './server/pin-calls.ts'
import { phoneSetupCall, playCallCall } from './server/play.ts'
import { mountVoice } from './server/voice.ts'

export const phonePayments: Feature = {
  module: 'phone',
  calls: [phonePinCall, setPhonePinCall, removePhonePinCall, playCallCall, phoneSetupCall, ...phoneCallsCalls],
  mount: [mountVoice],
  demo: () => import('./demo.ts'),
}
