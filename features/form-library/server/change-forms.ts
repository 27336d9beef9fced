import {
  attach,
  detachAll,
  fileCall,
  findFile,
  previewOf,
  type ReceivedFile,
  receiveFile,
  removeFiles,
} from '../../../server/attachments/keep.ts'
import { auditPlatform, PLATFORM } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { applyEdit, type Edit } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import type { AuditAction } from '../../../shared/audit-actions.ts'
import { say } from '../../../shared/messages.ts'
import {
  changeFormStatus,
  createForm,
  downloadForm,
  previewForm,
  removeForm,
  replaceFormFile,
  saveForm,
  formFiles,
} from '../contract.ts'
import { forms, holdForm } from './form-states.ts'
import { keepContent } from './questions.ts'
import { unknownForm } from './list-forms.ts'

const done = <More extends object>(message: string, more: More) => ({ success: true as const, message, ...more })

/** Writes an entry about a form to the platform's audit log. */
const audited = (tx: Tx, call: Call, action: AuditAction, id: number, detail: Record<string, unknown>) =>
  auditPlatform(tx, call.context.clock, call, { action, subject: { kind: 'form', id }, detail })

/** Saves the received file and runs `work` with it. */
const withFile = <T>(call: Call, work: (tx: Tx, received: ReceivedFile) => Promise<T>): Promise<T> =>
  receiveFile(call, formFiles, PLATFORM, (received) => call.context.acrossCompanies((tx) => work(tx, received)))

export const createFormCall = implement(createForm, (call) =>
  withFile(call, async (tx, received) => {
    const { title, description, category } = call.body
    const [now, me] = [call.context.clock.now(), signedIn(call).personId]
    const { id } = await tx
      .insertInto('form_template')
      .values({ title, description, category, created_at: now, created_by: me, changed_at: now, changed_by: me })
      .returning('id')
      .executeTakeFirstOrThrow()
    await attach(tx, received, id)
    const detail = { title, category, file: received.name }
    await recordCreation(tx, forms, { scope: PLATFORM, id, event: 'add', actor: actorOf(call), detail })
    return done(say`${title} added to the library.`, { templateId: id })
  }),
)

export const replaceFormFileCall = implement(replaceFormFile, (call) =>
  withFile(call, async (tx, received) => {
    const { templateId } = call.body
    const form = await holdForm(tx, templateId)
    const current = await tx
      .selectFrom('form_template_version')
      .select('sha256')
      .where(({ and }) => and({ template_id: templateId, version: form.current_version }))
      .executeTakeFirstOrThrow()
    if (current.sha256.equals(received.sha256))
      throw rejected(say`This file is the same as version ${form.current_version}. Choose another file.`)
    const { nth: version } = await attach(tx, received, templateId)
    await keepContent(tx, templateId, version)
    await touch(tx, call, templateId, { current_version: version })
    await audited(tx, call, 'form.replaced', templateId, { title: form.title, version, file: received.name })
    return done(say`${form.title} is now at version ${version}.`, { version })
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
    .set({ ...values, changed_at: call.context.clock.now(), changed_by: signedIn(call).personId })
    .where('id', '=', id)
    .execute()

export const saveFormCall = implement(saveForm, async (call) => {
  const { templateId, basis, ...own } = call.body
  const { clock } = call.context
  return call.context.acrossCompanies(async (tx) => {
    const { title, description, category } = await holdForm(tx, templateId)
    const before = { title, description, category }
    const edit: Edit = { tx, clock, actor: call, company: PLATFORM, subject: `form ${templateId}` }
    const { after, isChanged } = await applyEdit(edit, { basis, own, before })
    if (isChanged) {
      await touch(tx, call, templateId, after)
      await audited(tx, call, 'form.changed', templateId, { before, after })
    }
    return done(say`${after.title} saved.`, {})
  })
})

export const changeFormStatusCall = implement(changeFormStatus, async (call) => {
  const { templateId, event } = call.body
  return call.context.acrossCompanies(async (tx) => {
    const { message } = await transition(tx, forms, { scope: PLATFORM, id: templateId, event, actor: actorOf(call) })
    return done(message, {})
  })
})

export const removeFormCall = implement(removeForm, async (call) => {
  const { context, body } = call
  const { templateId } = body
  const removed = await context.acrossCompanies(async (tx) => {
    const { title, first_assigned_at } = await holdForm(tx, templateId)
    if (first_assigned_at)
      throw conflict(
        'assigned',
        say`${title} was assigned to a company, so you cannot remove the form. You can deactivate it instead.`,
      )
    const files = await detachAll(tx, formFiles, PLATFORM, templateId)
    await tx.deleteFrom('form_template').where('id', '=', templateId).execute()
    await audited(tx, call, 'form.removed', templateId, { title, versions: files.length })
    return { title, files }
  })
  await removeFiles(context, removed.files)
  return done(say`${removed.title} removed.`, {})
})

/** Finds the file of the requested version of a form, or of its current version if none is requested. */
const fileOf = ({ context, body }: Call<RequestOf<typeof downloadForm>>) =>
  context.acrossCompanies(async (tx) => {
    const { templateId, version } = body
    const form = await tx
      .selectFrom('form_template')
      .select('current_version')
      .where('id', '=', templateId)
      .executeTakeFirst()
    if (!form) throw unknownForm()
    return findFile(tx, formFiles, PLATFORM, templateId, version ?? form.current_version)
  })

export const previewFormCall = implement(previewForm, async (call) => ({ preview: previewOf(await fileOf(call)) }))

export const downloadFormCall = fileCall(downloadForm, fileOf)
