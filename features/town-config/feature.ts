import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { logoFiles } from './contract.ts'
import { editDetails, saveConfigSection, showConfig, showPreview } from './server/config-calls.ts'
import { compareWithNow, historyLists, restoreConfigCall } from './server/history.ts'
import { takeLogo } from './server/logo.ts'
import { listProcessors, setProcessor, showProcessor } from './server/processor.ts'
import { startProcessorSetupCall, processorStatusCall } from './server/processor-setup.ts'
import { setupCalls } from './server/setup.ts'
import { companySteps } from './server/setup-steps.ts'
import { compareWithImport, exportToFile, importFrom } from './server/transfer.ts'
import { mountLogos } from './server/logo.ts'

export const companyConfig: Feature = {
  calls: [
    showConfig,
    ...setupCalls,
    saveConfigSection,
    editDetails,
    showPreview,
    ...historyLists,
    compareWithNow,
    restoreConfigCall,
    exportToFile,
    compareWithImport,
    importFrom,
    takeLogo,
    ...partCalls(logoFiles),
    listProcessors,
    showProcessor,
    setProcessor,
    processorStatusCall,
    startProcessorSetupCall,
  ],
  setup: companySteps,
  mount: [mountLogos],
}
