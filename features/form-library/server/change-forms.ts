import { auditPlatform, PLATFORM } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { type Edit, mergeEdit, noteChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { begin, move, whoOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import type { AuditAction } from '../../../shared/audit-actions.ts'
import { changeFormStatus, createForm, downloadForm, removeForm, replaceFormFile, saveForm } from '../contract.ts'
import { type FormFile, judgeFile } from './form-file.ts'
import { forms, holdForm } from './form-states.ts'
import { unknownForm } from './list-forms.ts'

const done = <More extends object>(message: string, more: More) => ({ success: true as const, message, ...more })

/** Writes a deed about a form into the platform's log. */
const audited = (tx: Tx, call: Call, action: AuditAction, id: number, detail: Record<string, unknown>) =>
  auditPlatform(tx, call.house.clock, call, { action, subject: { kind: 'form', id: id }, detail })

/** Judges and keeps the file that was sent, then does the work; where that fails, the file is gone again. */
async function withFile<T>(call: Call, work: (tx: Tx, kept: Kept) => Promise<T>): Promise<T> {
  const { house, file } = call
  const judged = await judgeFile(file.name, file.content)
  const { path, bytes, sha256 } = await house.files.write(PLATFORM, judged.content)
  try {
    return await house.acrossCompanies((tx) => work(tx, { ...judged, path, bytes, sha256 }))
  } catch (error) {
    await house.files.remove(path)
    throw error
  }
}

type Kept = Omit<FormFile, 'content'> & { path: string; bytes: number; sha256: Buffer }

const versionOf = (call: Call, { name, contentType, path, bytes, sha256 }: Kept) => ({
  ...{ path, original_name: name, content_type: contentType, bytes, sha256 },
  ...{ uploaded_at: call.house.clock.now(), uploaded_by: signedIn(call).personId },
})

export const createFormCall = implement(createForm, (call) =>
  withFile(call, async (tx, kept) => {
    const { title, description, category } = call.body
    const [now, me] = [call.house.clock.now(), signedIn(call).personId]
    const { id } = await tx
      .insertInto('form_template')
      .values({ title, description, category, created_at: now, created_by: me, changed_at: now, changed_by: me })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('form_template_version')
      .values({ template_id: id, version: 1, ...versionOf(call, kept) })
      .execute()
    const detail = { title, category, file: kept.name }
    await begin(tx, forms, { place: PLATFORM, id, event: 'add', who: whoOf(call), detail })
    return done(`${title} is in the library.`, { templateId: id })
  }),
)

export const replaceFormFileCall = implement(replaceFormFile, (call) =>
  withFile(call, async (tx, kept) => {
    const { templateId } = call.body
    const form = await holdForm(tx, templateId)
    const current = await tx
      .selectFrom('form_template_version')
      .select('sha256')
      .where('template_id', '=', templateId)
      .where('version', '=', form.current_version)
      .executeTakeFirstOrThrow()
    if (current.sha256.equals(kept.sha256))
      throw rejected(`This is the file that version ${form.current_version} is already.`)
    const version = form.current_version + 1
    await tx
      .insertInto('form_template_version')
      .values({ template_id: templateId, version, ...versionOf(call, kept) })
      .execute()
    await touch(tx, call, templateId, { current_version: version })
    await audited(tx, call, 'form.replaced', templateId, { title: form.title, version, file: kept.name })
    return done(`${form.title} is at version ${version} now.`, { version })
  }),
)

const touch = (
  tx: Tx,
  call: Call,
  id: number,
  values: { title?: string; description?: string; category?: string; current_version?: number },
) =>
  tx
    .updateTable('form_template')
    .set({ ...values, changed_at: call.house.clock.now(), changed_by: signedIn(call).personId })
    .where('id', '=', id)
    .execute()

export const saveFormCall = implement(saveForm, async (call) => {
  const { templateId, basis, ...mine } = call.body
  const { clock } = call.house
  return call.house.acrossCompanies(async (tx) => {
    const { title, description, category } = await holdForm(tx, templateId)
    const before = { title, description, category }
    const edit: Edit = { tx, clock, doer: call, company: PLATFORM, subject: `form ${templateId}` }
    const after = await mergeEdit(edit, { basis, mine, now: before })
    if (!same(before, after)) {
      await touch(tx, call, templateId, after)
      await noteChanges(edit, before, after)
      await audited(tx, call, 'form.changed', templateId, { before, after })
    }
    return done(`${after.title} saved.`, {})
  })
})

export const changeFormStatusCall = implement(changeFormStatus, async (call) => {
  const { templateId, event } = call.body
  return call.house.acrossCompanies(async (tx) => {
    const { message } = await move(tx, forms, { place: PLATFORM, id: templateId, event, who: whoOf(call) })
    return done(message, {})
  })
})

export const removeFormCall = implement(removeForm, async (call) => {
  const { house, body, requestId } = call
  const { templateId } = body
  const removed = await house.acrossCompanies(async (tx) => {
    const { title, first_assigned_at } = await holdForm(tx, templateId)
    if (first_assigned_at)
      throw conflict('assigned', `${title} was given to a municipality and stays. You can make it inactive.`)
    const files = await tx
      .deleteFrom('form_template_version')
      .where('template_id', '=', templateId)
      .returning('path')
      .execute()
    await tx.deleteFrom('form_template').where('id', '=', templateId).execute()
    await audited(tx, call, 'form.removed', templateId, { title, versions: files.length })
    return { title, files }
  })
  // What the store keeps all the same is named by nothing any more.
  for (const { path } of removed.files)
    await house.files
      .remove(path)
      .catch((error: unknown) => house.log.warn({ err: error, path, requestId }, 'a removed form left its file'))
  return done(`${removed.title} was removed.`, {})
})

export const downloadFormCall = implement(downloadForm, async ({ house, body }) => {
  const { templateId, version } = body
  const file = await house.acrossCompanies((tx) =>
    tx
      .selectFrom('form_template as t')
      .innerJoin('form_template_version as v', 'v.template_id', 't.id')
      .select(['v.path', 'v.original_name', 'v.content_type'])
      .where('t.id', '=', templateId)
      .where((eb) => eb('v.version', '=', version ?? eb.ref('t.current_version')))
      .executeTakeFirst(),
  )
  if (!file) throw unknownForm()
  return { name: file.original_name, contentType: file.content_type, stream: house.files.read(file.path) }
})
