import type { Feature } from '../../server/feature.ts'
import { compareRecordFileCall, exportRecordCall, importRecordFileCall } from './server/files.ts'

import { copySharedRecordCall, sharedRecordCall, sharedRecordsCall } from './server/shared.ts'

export const sharedRecords: Feature = {
  calls: [
    exportRecordCall,
    compareRecordFileCall,
    importRecordFileCall,
    sharedRecordsCall,
    sharedRecordCall,
    copySharedRecordCall,
  ],
}
