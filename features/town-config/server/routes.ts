import { partCalls } from '../../../server/attachments/parts.ts'
import type { Implemented } from '../../../server/call.ts'
import { logoFiles } from '../contract.ts'
import { editDetails, saveConfigSection, showConfig, showPreview } from './config-calls.ts'
import { compareWithNow, historyLists, putStateBack } from './history.ts'
import { takeLogo } from './logo.ts'
import { listProcessors, setProcessor, showProcessor } from './processor.ts'
import { showReadiness } from './readiness.ts'
import { compareWithImport, exportToFile, importFrom } from './transfer.ts'

export const calls: Implemented[] = [
  showConfig,
  showReadiness,
  saveConfigSection,
  editDetails,
  showPreview,
  ...historyLists,
  compareWithNow,
  putStateBack,
  exportToFile,
  compareWithImport,
  importFrom,
  takeLogo,
  ...partCalls(logoFiles),
  listProcessors,
  showProcessor,
  setProcessor,
]
