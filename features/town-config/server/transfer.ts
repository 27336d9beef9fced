import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { isTooDeep } from '../../../shared/json-depth.ts'
import { say, translated } from '../../../shared/messages.ts'
import { compareImport, exportConfig, importConfig } from '../contract.ts'
import { changesOf, labelOf, sectionNames } from '../report.ts'
import {
  type ConfigOf,
  FILE_FORMAT,
  type Section,
  sections,
  isTransferable,
  sectionSchemas,
  type CompanyConfig,
  transferableOf,
} from '../rules.ts'
import { usualConfig } from './defaults.ts'
import { namesOf } from './names.ts'
import { newestVersions } from './config-calls.ts'
import { forgetCompany, refuseStale, saveSection, sentencesOf } from './save-section.ts'
import { readCompanyConfig } from './stored.ts'

/** Exports a configuration as a human-readable file. */
export const exportToFile = implement(exportConfig, async ({ context, company }) => {
  const config = await context.acrossCompanies((tx) => readCompanyConfig(tx, company.id))
  const file = {
    ...{ format: FILE_FORMAT, version: 1, exported_from: company.name },
    exported_at: context.clock.now().toISOString(),
    sections: transferableOf(config),
  }
  return {
    name: `${company.subdomain}-configuration.json`,
    contentType: 'application/json; charset=utf-8',
    stream: Readable.from([`${JSON.stringify(file, null, 2)}\n`]),
  }
})

const configFile = z.object({
  format: z.literal(FILE_FORMAT),
  version: z.literal(1),
  sections: z.record(z.string(), z.unknown()),
})

/**
 * Parses an exported configuration.
 * @throws 422 if the content is not an exported configuration
 */
function readFile(content: string): Record<string, unknown> {
  let read: unknown
  try {
    read = isTooDeep(content) ? null : JSON.parse(content)
  } catch {
    throw rejected('This file is not JSON. Choose a file exported from Mainstreet.')
  }
  const parsed = configFile.safeParse(read)
  if (!parsed.success) throw rejected('This file has no municipality settings. Choose a file exported from Mainstreet.')
  return parsed.data.sections
}

/**
 * Merges imported settings into the current configuration and validates the result.
 * @throws 422 with a message for each setting that is unknown, not transferable or wrong
 */
function mergedInto(current: CompanyConfig, came: Record<string, unknown>): CompanyConfig {
  const merged: Record<string, unknown> = { ...current }
  const errors: Record<string, string> = {}
  for (const [name, values] of Object.entries(came)) {
    const section = sections.find((candidate) => candidate === name)
    if (!section) errors[name] = say`“${name}” is not a known section. Remove it from the file.`
    else if (!Object.keys(sectionSchemas[section].shape).some((field) => isTransferable(section, field)))
      errors[name] =
        say`${translated(sectionNames[section])}: this section cannot be imported. Remove it from the file.`
    else if (typeof values !== 'object' || values === null || Array.isArray(values))
      errors[name] =
        say`${translated(sectionNames[section])}: this section could not be read. Correct it or remove it from the file.`
    else {
      Object.assign(errors, strangeFields(section, values))
      const parsed = sectionSchemas[section].safeParse({ ...current[section], ...values })
      if (parsed.success) merged[section] = parsed.data
      else
        for (const [path, text] of Object.entries(sentencesOf(parsed.error)))
          errors[`${name}.${path}`] ??=
            `${translated(sectionNames[section])}, ${labelOf(path.split('.')[0] ?? '')}: ${text}`
    }
  }
  const text = Object.values(errors)
  if (text.length > 0) throw rejected(text.slice(0, MAX_MESSAGES_LISTED).join(' '), errors)
  return merged as CompanyConfig
}

const MAX_MESSAGES_LISTED = 10

function strangeFields(section: Section, values: object): Record<string, string> {
  const fieldNames = Object.keys(sectionSchemas[section].shape)
  const errors: Record<string, string> = {}
  for (const field of Object.keys(values)) {
    if (!fieldNames.includes(field))
      errors[`${section}.${field}`] =
        say`${translated(sectionNames[section])}: “${field}” is not a known setting. Remove it from the file.`
    else if (!isTransferable(section, field))
      errors[`${section}.${field}`] =
        say`${translated(sectionNames[section])}, ${labelOf(field)}: this setting cannot be imported. Remove it from the file.`
  }
  return errors
}

type Source = RequestOf<typeof importConfig>['source']

/** Returns the name of the source, the current configuration, and the configuration after an import. */
async function wanted(tx: Tx, context: AppContext, company: Company, source: Source) {
  const current = await readCompanyConfig(tx, company.id)
  if (source.kind === 'file')
    return { from: say`the file`, current, next: mergedInto(current, readFile(source.content)) }
  if (source.kind === 'defaults') {
    return { from: say`Mainstreet's defaults`, current, next: mergedInto(current, transferableOf(usualConfig())) }
  }
  const other = source.id === company.id ? null : await context.hosts.byId(source.id, tx)
  if (!other)
    throw rejected('Choose another municipality to import settings from.', { source: 'Choose another municipality.' })
  const came = transferableOf(await readCompanyConfig(tx, other.id))
  return { from: other.name, current, next: mergedInto(current, came) }
}

export const compareWithImport = implement(compareImport, ({ context, company, body }) =>
  context.acrossCompanies(async (tx) => {
    const { from, current, next } = await wanted(tx, context, company, body.source)
    const names = await namesOf(tx, company.id)
    const changed = sections
      .map((section) => ({ section, changes: changesOf(current[section], next[section], names) }))
      .filter(({ changes }) => changes.length > 0)
    const basis = Math.max(0, ...Object.values(await newestVersions(tx, company.id)))
    return { from, sections: changed, basis }
  }),
)

export const importFrom = implement(importConfig, async (call) => {
  const { context, company, body } = call
  const { from, saved } = await context.acrossCompanies(async (tx) => {
    if (body.basis !== undefined) await refuseStale(tx, company.id, sections, body.basis)
    const { from: source, next } = await wanted(tx, context, company, body.source)
    const done: Section[] = []
    for (const section of sections) {
      const value = next[section] as ConfigOf<typeof section>
      const saving = { section, value, origin: 'import' as const }
      if ((await saveSection(tx, context, call, company.id, saving)) !== null) done.push(section)
    }
    return { from: source, saved: done }
  })
  forgetCompany(context)
  const message = saved.length === 0 ? say`No differences. Nothing was changed.` : say`Imported settings from ${from}.`
  return { success: true as const, message, saved }
})
