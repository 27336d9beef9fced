import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { companyId, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { JPEG, PDF, PNG } from '../../shared/file-types.ts'
import { documentNames, type WaitingParty, waitingParties, providerNames } from './rules.ts'
import { documentStates, onboardingStates } from './states.ts'

const viewAccess: Access = { audience: ['municipality', 'platform'], privilege: ['settings', 'view'] }
const change: Access = { audience: ['municipality', 'platform'], privilege: ['settings', 'update'] }
const ours: Access = { audience: 'platform', privilege: ['company_setup', 'update'] }

export const onboardingFiles = defineAttachments({
  kind: 'onboarding_document',
  subject: 'onboarding_document',
  accepts: [PDF, JPEG, PNG],
  maxBytes: 10 * 1024 * 1024,
  maxFiles: 1,
  unsupportedType: 'Upload a PDF, JPG or PNG file.',
  unnamed: 'document',
  access: change,
  whileOffline: true,
})

const document = z.object({
  id: z.number(),
  kind: z.enum(documentNames),
  status: documentStates.state,
  reason: z.string(),
  name: z.string(),
  sentAt: z.string(),
  can: z.record(documentStates.button, z.boolean()),
})

const onboarding = z.object({
  id: z.number(),
  company: z.string(),
  provider: z.string(),
  providerName: z.string(),
  /** True if the company's new payments use this provider. */
  isChosen: z.boolean(),
  /** True if new payments use this provider during an outage of the chosen provider. */
  isSecond: z.boolean(),
  /** True if the portal is connected to this provider. */
  isConnected: z.boolean(),
  /** True if the provider has a page where the company identifies itself. */
  hasPage: z.boolean(),
  isTest: z.boolean(),
  status: onboardingStates.state,
  owedBy: z.enum(Object.keys(waitingParties) as [WaitingParty]),
  mayCharge: z.boolean(),
  takesPayments: z.boolean(),
  isPaidOut: z.boolean(),
  /** The provider's codes for the missing information. `sentencesOf` explains them. */
  missing: z.array(z.string()),
  dueAt: z.nullable(z.string()),
  /**
   * Reason why the provider disabled the account, in the provider's words, or why the platform put the onboarding on
   * hold.
   */
  why: z.string(),
  since: z.string(),
  checkedAt: z.nullable(z.string()),
  /** Last test payment. Null if none was made. */
  test: z.nullable(z.object({ at: z.string(), passed: z.boolean(), by: z.string() })),
  documents: z.array(document),
  neededDocuments: z.array(z.enum(documentNames)),
  missingDocuments: z.array(z.enum(documentNames)),
  history: z.array(historyEntry),
  can: z.object({
    steps: z.record(onboardingStates.button, z.boolean()),
    goOn: z.boolean(),
    send: z.boolean(),
    requestStatus: z.boolean(),
    /** True if staff can select this provider as the second provider, or clear that selection. */
    second: z.boolean(),
  }),
})

/** Returns the onboardings of a company. Platform staff must name the company. */
export const companyOnboardings = endpoint({
  path: 'muni/return/onboardings',
  summary: 'Returns the onboardings of a company and their missing information',
  access: viewAccess,
  whileOffline: true,
  personal: true,
  body: z.object({ companyId }),
  response: z.object({ onboardings: z.array(onboarding) }),
})

export const oneOnboarding = endpoint({
  path: 'muni/return/onboarding',
  summary: 'Returns an onboarding with its documents and history',
  access: viewAccess,
  whileOffline: true,
  personal: true,
  body: z.object({ companyId, id: rowId }),
  response: onboarding,
})

/**
 * Returns a link to the provider's page. If the company has no provider account, creates one. @throws 503 if the
 * provider is unavailable
 */
export const startProviderPage = endpoint({
  path: 'muni/start/onboarding/page',
  summary: "Returns a single-use link to the provider's onboarding page",
  access: change,
  whileOffline: true,
  whileImpersonating: 'refused',
  body: z.object({ companyId, id: rowId }),
  response: z.extend(done, { url: z.string() }),
})

export const checkProvider = formCall({
  path: 'muni/check/onboarding',
  summary: 'Updates an onboarding with its current status from the provider',
  access: viewAccess,
  whileOffline: true,
  body: z.object({ companyId, id: rowId }),
})

export const transitionOnboarding = formCall({
  path: 'admin/transition/onboarding',
  summary: 'Puts an onboarding on hold or resumes it',
  access: ours,
  body: z.object({
    companyId,
    id: rowId,
    event: onboardingStates.button,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(200, 'Enter up to 200 characters.'))),
  }),
})

export const addOnboarding = formCall({
  path: 'admin/add/onboarding',
  summary: 'Creates an onboarding with another payment provider',
  access: ours,
  body: z.object({ companyId, provider: z.enum(providerNames, { error: 'Choose a provider.' }) }),
})

export const sendDocument = endpoint({
  path: 'muni/send/onboarding/document',
  summary: 'Uploads a document of an onboarding and replaces the earlier one',
  access: change,
  whileOffline: true,
  files: onboardingFiles,
  body: z.object({
    companyId,
    id: rowIdBesideFile('Choose the onboarding for this document.'),
    kind: z.enum(documentNames, { error: 'Choose the document type.' }),
  }),
  response: uploadedFile,
})

export const transitionDocument = formCall({
  path: 'admin/transition/onboarding/document',
  summary: 'Accepts an onboarding document or requests a replacement',
  access: ours,
  body: z.object({
    companyId,
    id: rowId,
    event: documentStates.button,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(200, 'Enter up to 200 characters.'))),
  }),
})

export const downloadDocument = downloadCall({
  path: 'muni/download/onboarding/document',
  summary: 'Downloads the file of an onboarding document',
  access: viewAccess,
  whileOffline: true,
  body: z.object({ companyId, id: rowId }),
})

/** Amount of the test charge to the provider's test card or bank account: $5.00. */
export const TEST_CHARGE_CENTS = 500

/**
 * Tests the company's provider with a charge of $5.00, only if the provider moves no real money. The charge is
 * confirmed and immediately refunded. It creates no order, so no ledger or report includes it. The onboarding stores
 * the result.
 */
export const testCharge = endpoint({
  path: 'test/payment',
  summary: 'Charges and refunds $5.00 on a test card outside the ledger',
  access: { audience: 'municipality', privilege: ['payments', 'create'] },
  whileImpersonating: 'refused',
  body: z.object({ companyId }),
  response: z.object({
    success: z.boolean(),
    message: z.string(),
    steps: z.array(
      z.object({
        what: z.enum(['account', 'card', 'create', 'confirm', 'refund', 'check']),
        passed: z.boolean(),
        /** Result: an id, a state, or the reason of the failure. */
        result: z.string(),
        milliseconds: z.int(),
      }),
    ),
  }),
})
