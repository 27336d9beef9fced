import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, downloadCall, endpoint } from '../../shared/endpoint.ts'
import {
  columnMapping,
  columnsReport,
  correctedRows,
  defineImportedFiles,
  importFields,
  importReport,
  sheetName,
} from '../../shared/imports.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { viewAccess } from './list.ts'
import { sources } from './rules.ts'
import { billingFileStates } from './states.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'

const send: Access = { audience: 'municipality', privilege: ['billing_files', 'create'] }
const fileId = rowId

/** Storage rules of billing files. The portal retains a file so that staff can compare it with its result. */
export const billFiles = defineImportedFiles({
  kind: 'bill-file',
  subject: 'billing_file',
  keepDays: 90,
  needsImmediateScan: true,
  unsupportedType: 'Upload a CSV or XLSX file, or a ZIP file with that file and its PDFs.',
  unnamed: 'bills',
  access: send,
})

export const previewBills = endpoint({
  path: 'muni/preview/bills',
  summary: 'Uploads a billing file and prepares a preview of its changes',
  access: send,
  takes: 'large-file',
  files: billFiles,
  body: z.object({ companyId }),
  response: z.object({ success: z.literal(true), message: z.string(), fileId: z.number() }),
})

export const balanceFile = defineImportedFiles({ kind: 'balance_file', unnamed: 'balances', access: send })

const balancesReport = z.extend(importReport, {
  /** Sum of the balances, in cents. */
  balanceCents: z.number(),
  /** Sum of the adjustments, in cents. */
  adjustedCents: z.number(),
})
export type BalancesReport = z.output<typeof balancesReport>

/**
 * Imports balances without bills. `day` is the day of the balances. `remittance` is the number of the last remittance
 * file that the billing system has posted, or 0 for none.
 */
export const importBalances = endpoint({
  path: 'muni/import/account/balances',
  summary: 'Imports balances of utility accounts without bills or previews the import',
  access: send,
  takes: 'large-file',
  files: balanceFile,
  body: z.object({
    companyId,
    day: isoDate,
    remittance: z.string().check(z.regex(/^\d{1,9}$/, 'Choose a remittance file.')),
    ...importFields,
  }),
  response: balancesReport,
})

/** Returns one file and its result. Amounts are in cents. */
export const returnBillingFile = endpoint({
  path: 'muni/return/billing/file',
  summary: 'Returns a billing file and its import results',
  access: viewAccess,
  body: z.object({ fileId }),
  response: z.object({
    id: z.number(),
    name: z.string(),
    source: z.enum(Object.keys(sources) as [keyof typeof sources]),
    sender: z.string(),
    receivedAt: z.string(),
    state: billingFileStates.state,
    problem: z.string(),
    changedMeanwhile: z.boolean(),
    linesRead: z.int(),
    linesDone: z.int(),
    errorCount: z.int(),
    accountsCreated: z.int(),
    accountsUpdated: z.int(),
    billsCreated: z.int(),
    billsChanged: z.int(),
    billsUnchanged: z.int(),
    billedCents: z.number(),
    receivedCents: z.number(),
    adjustmentsCreated: z.int(),
    adjustedCents: z.number(),
    shutoffsChanged: z.int(),
    documentsStored: z.int(),
    documentsMissing: z.int(),
    /** Columns that staff must choose before the preview. Null in other states. */
    columns: z.nullable(columnsReport),
    /** Sheets of a workbook with several sheets, with the number of their rows, if known. */
    sheets: z.array(z.object({ name: z.string(), rows: z.nullable(z.int()) })),
    /** Name of the sheet that the lines come from. */
    sheet: z.string(),
    /** Id of the import that staff can undo. Null if they can't. */
    undoableImport: z.nullable(z.int()),
    can: z.record(billingFileStates.button, z.boolean()),
  }),
})

export const chooseBillingColumns = endpoint({
  path: 'muni/choose/billing/columns',
  summary: 'Saves the columns of a billing file and prepares its preview',
  access: send,
  body: z.object({ fileId, mapping: columnMapping }),
  response: done,
})

/** Returns the first lines with errors of an uploaded file, with their cells and the corrections of staff. */
export const returnBillingErrors = endpoint({
  path: 'muni/return/billing/errors',
  summary: 'Returns the lines with errors of a billing file for correction',
  access: send,
  personal: true,
  body: z.object({ fileId }),
  response: z.object({
    columns: z.array(z.object({ name: z.string(), to: z.string(), title: z.string() })),
    rows: z.array(z.object({ line: z.int(), where: z.string(), reason: z.string(), cells: z.array(z.string()) })),
    corrections: correctedRows,
  }),
})

export const correctBillingLines = endpoint({
  path: 'muni/correct/billing/lines',
  summary: 'Saves corrections of a previewed billing file and prepares a new preview',
  access: send,
  body: z.object({ fileId, corrections: correctedRows }),
  response: done,
})

export const chooseBillingSheet = endpoint({
  path: 'muni/choose/billing/sheet',
  summary: 'Chooses another sheet of a workbook and prepares its preview',
  access: send,
  body: z.object({ fileId, sheet: sheetName }),
  response: done,
})

export const changeBillingFile = endpoint({
  path: 'muni/change/billing/file',
  summary: 'Imports or discards a previewed billing file',
  access: send,
  body: z.object({ fileId, event: billingFileStates.button }),
  response: done,
})

/** Lines with errors of an uploaded file, for correction. */
export const downloadBillingErrors = downloadCall({
  path: 'muni/download/billing/errors',
  summary: 'Downloads the lines with errors of a billing file',
  access: viewAccess,
  personal: true,
  body: z.object({ fileId }),
})

export const downloadRemittances = downloadCall({
  path: 'muni/download/remittances',
  summary: 'Downloads one daily remittance file',
  access: viewAccess,
  body: z.object({ number: z.int().check(z.minimum(1), z.maximum(2_147_483_647)) }),
})
