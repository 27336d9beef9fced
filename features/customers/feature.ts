import type { Feature } from '../../server/feature.ts'
import './server/import-customers.ts'
import { accountCalls } from './server/customer-account.ts'
import {
  defineInvitationJob,
  returnCustomerInvitationsCall,
  sendCustomerInvitationsCall,
} from './server/invite-customers.ts'
import { customerCalls } from './server/list-customers.ts'
import { propertyCalls } from './server/list-properties.ts'
import { propertyCall } from './server/property.ts'
import { lookupCall } from './server/look-up.ts'
import { unlockUserCall, resendConfirmationCall } from './server/user-steps.ts'
import { accountLookup, billLookup } from './server/lookup.ts'

export const customers: Feature = {
  lookups: [accountLookup, billLookup],
  calls: [
    ...customerCalls,
    ...propertyCalls,
    propertyCall,
    ...accountCalls,
    lookupCall,
    unlockUserCall,
    resendConfirmationCall,
    returnCustomerInvitationsCall,
    sendCustomerInvitationsCall,
  ],
  jobs: defineInvitationJob,
}
