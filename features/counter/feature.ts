import type { Feature } from '../../server/feature.ts'
import {
  cancelCardPaymentCall,
  cardPaymentCall,
  cardReadersCall,
  pairCardReaderCall,
  removeCardReaderCall,
  takeCardPaymentCall,
} from './server/card-payment.ts'
import { drawerCalls } from './server/drawer-calls.ts'
import { findPayablesCall } from './server/find-payables.ts'
import { takePaymentCall } from './server/take-payment.ts'
import { verifyDrawers } from './server/verify-drawers.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { drawerStates } from './states.ts'

export const counter: Feature = {
  module: 'counter',
  openRecords: { table: 'drawer', column: 'status', states: openStatesOf(drawerStates) },
  calls: [
    ...drawerCalls,
    findPayablesCall,
    takePaymentCall,
    cardReadersCall,
    pairCardReaderCall,
    removeCardReaderCall,
    takeCardPaymentCall,
    cardPaymentCall,
    cancelCardPaymentCall,
  ],
  verify: verifyDrawers,
  demo: () => import('./demo.ts'),
}
