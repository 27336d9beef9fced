import type { Feature } from '../../server/feature.ts'
import { definePreviewJobs, previewCalls } from './server/preview-calls.ts'
import { previewSetupSteps } from './server/setup-steps.ts'

export const residentPreview: Feature = { calls: previewCalls, jobs: definePreviewJobs, setup: previewSetupSteps }
