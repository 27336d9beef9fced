import { implement } from '../../../server/call.ts'
import { alertEvents } from '../contract-staff.ts'
import { ALERTS_TOPIC } from './alerts.ts'
import { countCall } from './count-audience.ts'
import { removeCall, saveCall, writeCall } from './drafts.ts'
import { followCall } from './follow.ts'
import { servicesCall, settingsCall } from './settings.ts'
import { editorCall, showCall } from './show-alert.ts'
import { moveCall, submitCall } from './submit.ts'
import { removeTemplateCall, saveTemplateCall } from './templates.ts'
import { testCall } from './test-alert.ts'

const eventsCall = implement(alertEvents, async () => ({ topic: ALERTS_TOPIC, id: 0 }))

export const staffCalls = [
  eventsCall,
  servicesCall,
  showCall,
  writeCall,
  saveCall,
  removeCall,
  countCall,
  submitCall,
  testCall,
  moveCall,
  followCall,
  editorCall,
  settingsCall,
  saveTemplateCall,
  removeTemplateCall,
]
