import { Readable } from 'node:stream'
import { type Call, implement } from '../../../server/call.ts'
import { mergeContents } from '../../../server/content-differences.ts'
import {
  type Content,
  type ContentKind,
  createFromContent,
  creatingFor,
  digestOf,
  questionsOf,
  readContent,
  refuseOutdated,
  saveContent,
  settingsOf,
  titleOf,
} from '../../../server/contents.ts'
import { rejected } from '../../../server/errors.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { parserOf } from '../../../server/parse.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addressOf } from '../../../shared/address-of.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say, translated } from '../../../shared/messages.ts'
import { compareRecordFile, exportRecord, importRecordFile, recordKinds } from '../contract.ts'
import { FILE_FORMAT, FILE_VERSION } from '../rules.ts'
import { checkSettings, kindFor, previewOf } from './kinds.ts'
import type { RecordFile } from './read-file.ts'

const parseFile = parserOf<[text: string], RecordFile>(new URL('read-file.ts', import.meta.url), 'readRecordFile')

/** Loads a record as the content of a file. @throws 404 if the record does not exist */
const loadFile = (call: Call<RequestOf<typeof exportRecord>>, kind: ContentKind) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { form, fieldSet, departmentId } = await kind.read(tx, company, call.body.id)
    const { draft } = await questionsOf({ tx, company }, fieldSet)
    const department = (await departmentsOf(call, tx)).find(({ id }) => id === departmentId)?.name
    return {
      ...{ format: FILE_FORMAT, version: FILE_VERSION, kind: kind.kind },
      ...(department && { department }),
      settings: settingsOf(kind, form),
      ...(draft && { questions: draft }),
    }
  })

export const exportRecordCall = implement(
  exportRecord,
  async (call) => {
    const kind = kindFor(call, call.body.kind)
    const file = await loadFile(call, kind)
    const title = titleOf(kind, file)
    const detail = { kind: kind.kind, id: call.body.id, title }
    await call.inCompany((tx) => call.audit(tx, { action: 'company.record_exported', detail }))
    return {
      name: `${addressOf(title) || kind.kind}.json`,
      contentType: 'application/json; charset=utf-8',
      stream: Readable.from([`${JSON.stringify(file, null, 2)}\n`]),
    }
  },
  async (call) => void (await loadFile(call, kindFor(call, call.body.kind))),
)

const departmentsOf = ({ company }: Call, tx: Tx) =>
  tx.selectFrom('department').select(['id', 'name']).where('company_id', '=', company.id).execute()

/** @throws 422 if the file can't be read, or has another kind of records */
async function readFile(call: Call, kind: ContentKind, content: string): Promise<RecordFile> {
  const file = await parseFile(String(call.company.id), content).catch((error: unknown) => {
    throw error instanceof FileRefused ? rejected(error.message) : error
  })
  if (file.kind === kind.kind) return file
  const other = Object.entries(recordKinds).find(([name]) => name === file.kind)?.[1]
  throw rejected(
    other
      ? say`This file has another kind of record: ${translated(other)}.`
      : say`This file has a kind of record that this portal does not have.`,
  )
}

interface Planned {
  content: Content
  seen: { preview: ReturnType<typeof previewOf>; differences: ReturnType<typeof mergeContents>['differences'] }
  digest: string
}

/** Loads the changes that a file would make to a new or an existing record. */
async function plan(
  call: Call,
  tx: Tx,
  kind: ContentKind,
  { file, id }: { file: RecordFile; id: number | null },
): Promise<Planned> {
  if (id === null) {
    const settings = checkSettings(kind, { ...kind.usual, ...file.settings })
    const content = { settings, questions: kind.questions ? file.questions : null }
    const seen = { preview: previewOf(kind, content), differences: [] }
    return { content, seen, digest: digestOf(seen) }
  }
  const company = call.company.id
  const { form } = await kind.read(tx, company, id)
  const now = await readContent(tx, company, kind, id)
  const settings = checkSettings(kind, { ...form, ...settingsOf(kind, file.settings) })
  const next = { settings, questions: kind.questions ? (file.questions ?? now.questions) : null }
  const { merged, differences } = mergeContents(kind, { basis: now, next, now })
  const seen = { preview: previewOf(kind, merged), differences }
  return { content: merged, seen, digest: digestOf(seen) }
}

export const compareRecordFileCall = implement(compareRecordFile, async (call) => {
  const { id, content } = call.body
  const kind = kindFor(call, call.body.kind)
  const file = await readFile(call, kind, content)
  return call.reading(async (tx) => {
    const { seen, digest } = await plan(call, tx, kind, { file, id })
    return { ...seen, digest }
  })
})

export const importRecordFileCall = implement(importRecordFile, async (call) => {
  const { id, content: text, digest: seen } = call.body
  const kind = kindFor(call, call.body.kind)
  const file = await readFile(call, kind, text)
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const { content, digest } = await plan(call, tx, kind, { file, id })
    refuseOutdated(seen, digest)
    const creating = await creatingFor(call, tx, kind.calls)
    const title = titleOf(kind, content)
    const department = (await departmentsOf(call, tx)).find(
      ({ name }) => name.toLowerCase() === file.department.toLowerCase(),
    )
    if (id !== null) await saveContent({ tx, company, run: creating.run }, kind, id, content)
    const savedId = id ?? (await createFromContent(creating, kind, content, department?.id ?? null))
    await call.audit(tx, {
      action: 'company.record_imported',
      detail: { kind: kind.kind, id: savedId, title, isNew: id === null },
    })
    const message =
      id === null ? say`“${title}” was created from the file.` : say`“${title}” was changed from the file.`
    return { success: true as const, message, id: savedId, path: kind.path(savedId) }
  })
})
