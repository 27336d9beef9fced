import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { recordFile } from './contract.ts'
import { importRecordsCall } from './server/import-records.ts'
import './server/import-resources.ts'

export const imports: Feature = {
  calls: [importRecordsCall, ...partCalls(recordFile)],
  demo: () => import('./demo.ts'),
}
