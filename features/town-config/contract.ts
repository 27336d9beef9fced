import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments } from '../../shared/attachments.ts'
import { downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { images } from '../../shared/file-types.ts'
import type { Permission } from '../../shared/privileges.ts'
import { createCompany } from '../companies/contract.ts'
import { change } from './list.ts'
import { LOGO_SIZE, sections } from './rules.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'

const ofCompany = z.object({ companyId })
const section = z.enum(sections)
const values = z.record(z.string(), z.unknown())
const versionId = rowId
const saved = z.extend(done, { version: z.int() })

/** Returns the access rule and the body schema for calls by platform staff. The body identifies the company. */
const setUp = (permission: Permission) =>
  ({ access: { audience: 'platform', privilege: ['company_setup', permission] }, body: ofCompany }) as const

/** Like `setUp`, but staff of a municipality may also make the call, for their own company. */
const setUpByBoth = (permission: Permission) =>
  ({
    access: { audience: ['municipality', 'platform'], privilege: ['settings', permission] },
    body: ofCompany,
  }) as const

/** Permissions of the person for one section. Staff of a municipality may lack some of them. */
const sectionAccess = z.object({
  mayChange: z.boolean(),
  /** Settings that only the platform may change, with their values as text. */
  reserved: z.array(z.object({ field: z.string(), label: z.string(), value: z.string() })),
})

/**
 * Loads the sections of the configuration that the person may see, with the latest version number of each section.
 * Version 0 means that the section has never been changed.
 */
export const returnConfig = endpoint({
  path: 'admin/return/company/config',
  summary: 'Returns the configuration of a company',
  ...setUpByBoth('view'),
  response: z.object({
    company: z.object({ id: z.number(), guid: z.string(), name: z.string(), url: z.string() }),
    config: z.record(z.string(), values),
    versions: z.record(z.string(), z.int()),
    can: z.object({ update: z.boolean(), seeStaff: z.boolean() }),
    /** Sections in the order of the screen, with the permissions of the person. */
    sections: z.record(z.string(), sectionAccess),
  }),
})

/**
 * Saves one section. `basis` is the section as it was when the form was opened (`shared/edits.ts`).
 * Each section needs the privilege of its area (`rules.ts`).
 * @throws 403 with the missing privilege, or the name of a changed setting that only the platform may change
 * @throws 422 with a message for each field that the section's schema in `rules.ts` refuses
 */
export const saveConfig = endpoint({
  path: 'admin/save/company/config',
  idempotent: 'offered',
  summary: "Saves one section of a company's configuration",
  ...setUpByBoth('view'),
  body: z.extend(ofCompany, { section, values, basis: z.optional(values) }),
  response: saved,
})

/**
 * Edits an existing company in the slide-out (spec 2.14), with the fields and messages of the create form. Accepts
 * values as strings. Saves details and office hours together.
 */
export const editCompany = formCall({
  path: 'admin/update/company/details',
  summary: 'Saves the details of a company',
  ...setUp('update'),
  body: z.extend(createCompany.body, { companyId, basis: z.optional(values) }),
})

/** Renders the company's HTML as its pages show it (spec 2.8). */
export const previewMessage = endpoint({
  path: 'admin/preview/company/message',
  summary: 'Returns a site-wide message as sanitized HTML',
  ...setUpByBoth('view'),
  body: z.extend(ofCompany, {
    html: z.string().check(z.maxLength(20_000, 'Use no more than 20,000 characters.')),
  }),
  response: z.object({ html: z.string() }),
})

const state = z.enum(['before', 'after'])

/**
 * Lists the changes that restoring an earlier state would make to the current configuration. A version can be restored
 * to the state `before` or `after` it was saved.
 */
export const comparePast = endpoint({
  path: 'admin/compare/company/config/version',
  summary: 'Returns the changes from restoring an earlier configuration version',
  ...setUpByBoth('view'),
  body: z.extend(ofCompany, { versionId, state }),
  response: z.object({ section, changes: z.array(change), basis: z.int() }),
})

/**
 * Restores a previous state of a section as a new version. Settings that the person may not change stay.
 * @throws 403 with the missing privilege
 */
export const restoreConfig = endpoint({
  path: 'admin/restore/company/config/version',
  idempotent: 'offered',
  summary: 'Restores an earlier state of a section as a new version',
  ...setUpByBoth('view'),
  body: z.extend(ofCompany, { versionId, state, basis: z.int().check(z.minimum(0)) }),
  response: saved,
})

export const exportConfig = downloadCall({
  path: 'admin/export/company/config',
  summary: 'Exports the transferable configuration of a company as a file',
  ...setUp('view'),
})

const source = z.union([
  z.object({ kind: z.literal('defaults') }),
  z.object({ kind: z.literal('company'), id: z.int().check(z.minimum(1), z.maximum(2_147_483_647)) }),
  z.object({
    kind: z.literal('file'),
    content: z
      .string()
      .check(z.maxLength(500_000, 'This file is too large for a settings file. The limit is 500,000 characters.')),
  }),
])

const importing = z.extend(ofCompany, { source })

/**
 * Lists the changes that importing a configuration would make, grouped by section.
 * @throws 422 with messages if the configuration cannot be read
 */
export const compareImport = endpoint({
  path: 'admin/compare/company/config/import',
  summary: 'Returns the changes that a configuration import would make',
  ...setUp('update'),
  body: importing,
  response: z.object({
    from: z.string(),
    sections: z.array(z.object({ section, changes: z.array(change) })),
    /** Latest version at the time of the comparison. */
    basis: z.int(),
  }),
})

/**
 * Imports a configuration.
 * @throws 409 if a section was saved after `basis`, because the comparison is then outdated
 */
export const importConfig = formCall({
  path: 'admin/import/company/config',
  summary: 'Imports another configuration as a new version of each changed section',
  ...setUp('update'),
  body: z.extend(importing, { basis: z.optional(z.int().check(z.minimum(0))) }),
  response: z.extend(done, { saved: z.array(section) }),
})

/** Uploaded logos of a company. Earlier logos stay, so that an old version can be restored. */
export const logoFiles = defineAttachments({
  kind: 'logo',
  subject: 'company',
  ...images,
  maxFiles: 1000,
  renderedAs: LOGO_SIZE,
  needsImmediateScan: true,
  unnamed: 'logo',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'delete'] },
})

/**
 * Uploads the company's logo (spec 2.20, 7.1) and shows it immediately. Detects the file type from the content, fits
 * the image within 800×400 pixels, and stores it under a URL that never changes.
 * @throws 413 above 5 MB, 415 if the file is not a PNG or JPG
 */
export const saveLogo = endpoint({
  path: 'admin/save/company/logo/details',
  summary: 'Uploads the logo of a company',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'delete'] },
  files: logoFiles,
  body: ofCompany,
  response: z.object({ success: z.literal(true), file_id: z.string(), path: z.string() }),
})

/** Lists the available payment processors (spec 2.15, 7.4). */
export const processorList = endpoint({
  path: 'muni/return/processor/list',
  summary: 'Returns the available payment processors',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'view'] },
  body: ofCompany,
  response: z.object({ processors: z.array(z.object({ processorId: z.number(), name: z.string() })) }),
})

export const companyProcessor = endpoint({
  path: 'admin/return/company/util/processor',
  summary: 'Returns the payment processor of a company and its contacts',
  ...setUp('view'),
  response: z.object({
    processor: z.array(
      z.object({
        processor_id: z.number(),
        primary_contact: z.nullable(z.number()),
        secondary_contact: z.nullable(z.number()),
      }),
    ),
  }),
})

/** Loads the onboarding status of a company at its processor. Requests the status from the processor each time. */
export const processorStatus = endpoint({
  path: 'admin/return/company/processor/standing',
  summary: 'Returns the onboarding status of a company at its processor',
  ...setUp('view'),
  response: z.object({
    state: z.enum(['not_needed', 'not_started', 'in_progress', 'missing', 'in_review', 'on_hold', 'ready']),
    takesPayments: z.boolean(),
    isPaidOut: z.boolean(),
    /** Messages from the processor about missing information. */
    missing: z.array(z.string()),
    why: z.string(),
  }),
})

/**
 * Opens the company's account at its processor if it has none.
 * @throws 503 if the account cannot be opened now
 */
export const startProcessorSetup = endpoint({
  path: 'admin/start/company/processor/setup',
  summary: "Returns a link to the processor's setup page",
  ...setUp('update'),
  response: z.extend(done, { url: z.string() }),
})

const typed = z.optional(z.nullable(z.union([z.string().check(z.maxLength(40)), z.number()])))

/**
 * Saves the processor, validated by `processorForm` (spec 5.3).
 * @throws 422 with a message for each field
 */
export const saveProcessor = formCall({
  path: 'admin/save/company/util/processor',
  summary: 'Saves the payment processor of a company and its contacts',
  ...setUp('update'),
  scope: 'none',
  body: z.object({
    ...{ company: typed, selectedProcessor: typed, primaryStaff: typed, secondaryStaff: typed },
    basis: z.optional(values),
  }),
})
