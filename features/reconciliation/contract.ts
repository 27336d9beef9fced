import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { defineImportedFiles, importFields, importReport } from '../../shared/imports.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { periodInOrder } from '../../shared/period.ts'
import { ledgerAccounts, type LedgerAccount } from '../payments/rules-ledger.ts'
import {
  lineResolutionLabels,
  type LineResolution,
  exceptionKinds,
  type ExceptionKind,
  resolutionMethodLabels,
  type ResolutionMethod,
  periodKinds,
} from './rules.ts'
import { exceptionStates } from './states.ts'

const viewAccess: Access = { audience: 'municipality', privilege: ['reconcile', 'view'] }
const take: Access = { audience: 'municipality', privilege: ['reconcile', 'create'] }
const updateAccess: Access = { audience: 'municipality', privilege: ['reconcile', 'update'] }

/** Sum in cents over one or more days. It may be negative and never exceeds the range of exact integers. */
const sumCents = z.int()
const how = z.enum(Object.keys(resolutionMethodLabels) as [ResolutionMethod, ...ResolutionMethod[]])
const kind = z.enum(Object.keys(exceptionKinds) as [ExceptionKind, ...ExceptionKind[]])
const became = z.enum(Object.keys(lineResolutionLabels) as [LineResolution, ...LineResolution[]])

export const tryEvent = endpoint({
  path: 'admin/repeat/provider/event',
  summary: 'Applies a failed provider event again',
  access: { audience: 'platform', privilege: ['company_setup', 'update'] },
  scope: 'none',
  body: z.object({ eventId: z.int() }),
  /** `error` is the reason that the event still cannot be applied. Empty after success. */
  response: z.object({ success: z.boolean(), error: z.string() }),
})

export const showReconciledCompany = endpoint({
  path: 'admin/return/reconciled/company',
  summary: "Returns a company's closed days, open exceptions and pending payouts",
  access: { audience: 'platform', privilege: ['reports_admin', 'view'] },
  scope: 'none',
  body: z.object({ companyId: z.int() }),
  response: z.object({
    name: z.string(),
    /** URL of the screen for the company's own staff. */
    url: z.string(),
    /** '' if no day is closed. */
    closedThrough: z.string(),
    openExceptions: z.int(),
    /** Oldest exceptions first, at most 20. */
    exceptions: z.array(
      z.object({ id: z.number(), kind, about: z.string(), day: z.string(), amountCents: sumCents, owner: z.string() }),
    ),
    pendingPayouts: z.int(),
    /** Payouts with the earliest expected arrival first, at most 20. */
    payouts: z.array(
      z.object({ id: z.number(), provider: z.string(), trace: z.string(), arrivesOn: z.string(), netCents: sumCents }),
    ),
  }),
})

/** Payments and refunds of one day with the same payment method. */
const receipts = z.object({
  method: z.string(),
  payments: z.int(),
  billCents: sumCents,
  feeCents: sumCents,
  refundCents: sumCents,
})
/** Two amounts in cents that must be equal. `waitsCents` is the part that the other side has not recorded yet. */
const figures = { oneCents: sumCents, otherCents: sumCents, waitsCents: sumCents }
/**
 * Comparison of two amounts. If the company has several providers, `parts` contains the same figures for each provider.
 */
const link = z.object({
  key: z.string(),
  ...figures,
  parts: z.optional(z.array(z.object({ name: z.string(), ...figures }))),
})
const balance = z.object({
  account: z.string(),
  name: z.string(),
  beginsCents: sumCents,
  debitCents: sumCents,
  creditCents: sumCents,
  endsCents: sumCents,
})

/** Figures of a day, saved when staff close the day. Amounts are integer cents. */
export const dayFigures = z.object({ receipts: z.array(receipts), links: z.array(link), balances: z.array(balance) })
export type DayFigures = z.output<typeof dayFigures>

export const reconcileDay = endpoint({
  path: 'muni/return/reconciliation/day',
  summary: 'Returns the reconciliation figures of a day and its closing blockers',
  access: viewAccess,
  body: z.object({ day: z.optional(isoDate) }),
  response: z.object({
    day: z.string(),
    /** Last closed day, or '' if no day is closed. `lastDay` is the last finished day. */
    closedThrough: z.string(),
    lastDay: z.string(),
    figures: dayFigures,
    closed: z.nullable(z.object({ at: z.string(), by: z.string() })),
    /** Messages about open work that prevents staff from closing the day. */
    against: z.array(z.string()),
    /** Number of open exceptions up to and including this day. `exceptions` lists the oldest of them. */
    openExceptions: z.int(),
    exceptions: z.array(
      z.object({ id: z.number(), kind, about: z.string(), day: z.string(), amountCents: sumCents, owner: z.string() }),
    ),
    /** Periods that staff can close now: the day itself, and each month or year in which all days are closed. */
    periods: z.array(z.object({ kind: z.enum(periodKinds), firstDay: z.string(), lastDay: z.string() })),
    closedPeriods: z.array(
      z.object({
        kind: z.enum(periodKinds),
        firstDay: z.string(),
        lastDay: z.string(),
        at: z.string(),
        by: z.string(),
      }),
    ),
    mayClose: z.boolean(),
  }),
})

export const closePeriod = endpoint({
  path: 'muni/close/period',
  summary: 'Closes a day, month or year of the ledger',
  access: { audience: 'municipality', privilege: ['closing', 'update'] },
  whileImpersonating: 'refused',
  body: z.object({ kind: z.enum(periodKinds), lastDay: isoDate }),
  response: done,
})

export const checkReconciliation = endpoint({
  path: 'muni/check/reconciliation',
  summary: 'Runs the reconciliation again and reports opened and cleared exceptions',
  access: updateAccess,
  body: z.object({}),
  response: z.extend(done, { opened: z.int(), cleared: z.int() }),
})

export const statementFiles = defineImportedFiles({
  kind: 'bank-statement',
  maxBytes: 20 * 1024 * 1024,
  unsupportedType: 'Upload a BAI2, CSV or XLSX file.',
  unnamed: 'bank statement',
  access: take,
})

/**
 * Result of the import. It counts new lines to review (created), new lines that need no review (changed) and existing
 * lines (unchanged).
 */
const statementReport = z.extend(importReport, {
  inCents: sumCents,
  outCents: sumCents,
  openCents: sumCents,
  /** Accounts without earlier statements, if the company already has statements of other accounts. */
  newAccounts: z.array(z.string()),
  /** Possible mistakes in the file, such as old statements or a line with a future date. */
  warnings: z.array(z.string()),
})
export type StatementReport = z.output<typeof statementReport>

export const importStatement = endpoint({
  path: 'muni/import/bank/statement',
  summary: 'Imports a bank statement in BAI2, CSV or XLSX or previews it',
  access: take,
  files: statementFiles,
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    mode: importFields.mode,
    columns: importFields.columns,
    digest: importFields.digest,
  }),
  response: statementReport,
})

const payoutLine = z.object({
  no: z.int(),
  at: z.string(),
  movementType: z.string(),
  paymentId: z.nullable(z.number()),
  sourceRef: z.string(),
  amountCents: sumCents,
  costCents: sumCents,
  ledgerCents: sumCents,
})

export const showPayout = endpoint({
  path: 'muni/return/payout',
  summary: 'Returns a payout with its largest lines',
  access: viewAccess,
  body: z.object({ id: rowId }),
  response: z.object({
    id: z.number(),
    provider: z.string(),
    trace: z.string(),
    paidAt: z.string(),
    arrivesOn: z.string(),
    grossCents: sumCents,
    costCents: sumCents,
    netCents: sumCents,
    depositedCents: z.nullable(sumCents),
    depositedOn: z.nullable(z.string()),
    lineCount: z.int(),
    /** Differences first, then the largest lines, at most 100. */
    lines: z.array(payoutLine),
  }),
})

export const exportPayoutLines = downloadCall({
  path: 'muni/export/payout/lines',
  summary: 'Exports all lines of a payout as CSV',
  access: { ...viewAccess, privilege: ['reconcile', 'create'] },
  body: z.object({ id: rowId }),
})

export const showException = endpoint({
  path: 'muni/return/recon/exception',
  summary: 'Returns a reconciliation exception with the ways to resolve it',
  access: viewAccess,
  body: z.object({ id: rowId }),
  response: z.object({
    id: z.number(),
    kind,
    about: z.string(),
    day: z.string(),
    amountCents: sumCents,
    status: exceptionStates.state,
    openedAt: z.string(),
    owner: z.string(),
    isOwn: z.boolean(),
    reason: z.string(),
    /** Bank statement line, with the payouts that may match it. Null for exceptions without a bank line. */
    line: z.nullable(
      z.object({
        text: z.string(),
        reference: z.string(),
        code: z.string(),
        became,
        payouts: z.array(
          z.object({
            id: z.number(),
            provider: z.string(),
            trace: z.string(),
            arrivesOn: z.string(),
            netCents: sumCents,
          }),
        ),
      }),
    ),
    payoutId: z.nullable(z.number()),
    paymentId: z.nullable(z.number()),
    hows: z.array(how),
    can: z.record(exceptionStates.button, z.boolean()),
    mayResolve: z.boolean(),
    history: z.array(historyEntry),
  }),
})

export const resolveException = formCall({
  path: 'muni/resolve/recon/exception',
  summary: 'Resolves a reconciliation exception with a reason',
  access: updateAccess,
  whileImpersonating: 'refused',
  body: z.object({
    id: rowId,
    how,
    reason: line(300).check(z.minLength(3, 'Enter a reason that auditors can understand.')),
    payoutId: z.optional(rowId),
    /** Words from the bank statement line. The portal then automatically resolves later lines with these words. */
    addsRule: z.optional(line(80)),
    /** Difference that the person saw, with the key `amountCents`. */
    basis,
  }),
  response: done,
})

export const ownException = endpoint({
  path: 'muni/own/recon/exception',
  summary: 'Takes ownership of a reconciliation exception or releases it',
  access: updateAccess,
  body: z.object({ id: rowId, own: z.boolean() }),
  response: done,
})

export const transitionException = endpoint({
  path: 'muni/transition/recon/exception',
  summary: 'Reopens a resolved exception and reverses its ledger entries',
  access: updateAccess,
  whileImpersonating: 'refused',
  /** `basis` contains the reason of the earlier decision, as the person saw it before they undid the decision. */
  body: z.object({ id: rowId, event: exceptionStates.button, reason: line(300), basis }),
  response: done,
})

export const openBankLine = formCall({
  path: 'muni/open/bank/line',
  summary: 'Undoes the match of a bank transaction and reopens it',
  access: updateAccess,
  whileImpersonating: 'refused',
  /** `basis` contains the current match of the line, under the key `became`. */
  body: z.object({ id: rowId, reason: stepReason, basis }),
  response: done,
})

const rule = z.object({
  id: z.number(),
  text: z.string(),
  comesIn: z.boolean(),
  became,
  madeBy: z.string(),
  madeAt: z.string(),
})

export const bankRules = endpoint({
  path: 'muni/return/bank/rules',
  summary: 'Returns the matching rules for bank transactions',
  access: viewAccess,
  body: z.object({}),
  response: z.object({ rules: z.array(rule), mayChange: z.boolean() }),
})

export const removeBankRule = endpoint({
  path: 'muni/remove/bank/rule',
  summary: 'Removes a matching rule for bank transactions',
  access: updateAccess,
  whileImpersonating: 'refused',
  body: z.object({ id: rowId }),
  response: done,
})

/** GL account number for each ledger account. '' if the company has no number for the account. */
const numbers = Object.fromEntries(Object.keys(ledgerAccounts).map((account) => [account, line(40)])) as Record<
  LedgerAccount,
  ReturnType<typeof line>
>
export const glForm = z.object(numbers)

export const glAccounts = endpoint({
  path: 'muni/return/gl/accounts',
  summary: "Returns the company's GL account numbers",
  access: { audience: 'municipality', privilege: ['ledger', 'view'] },
  body: z.object({}),
  response: z.object({ numbers: glForm, mayChange: z.boolean() }),
})

export const saveGlAccounts = formCall({
  path: 'muni/save/gl/accounts',
  summary: "Saves the company's GL account numbers",
  access: { audience: 'municipality', privilege: ['ledger', 'update'] },
  body: z.extend(glForm, { basis, companyId }),
  response: done,
})

export const exportGl = downloadCall({
  path: 'muni/export/gl',
  summary: 'Exports the general ledger by day and account as CSV',
  access: { audience: 'municipality', privilege: ['ledger', 'create'] },
  body: z.object({ fromDate: isoDate, toDate: isoDate }).check(...periodInOrder()),
})
