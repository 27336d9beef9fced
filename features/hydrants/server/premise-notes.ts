import { type Selectable, sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import { may } from '../../../shared/privileges.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import type { Secrets } from '../../../server/secrets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { endPremiseNote, type NoteForm, openPremiseNote, savePremiseNote, writePremiseNote } from '../contract.ts'
import { resolveLocationColumns } from './hydrants.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'

type Note = Selectable<Schema['premise_note']>

const MAX_VIEWS = 50

async function lockNote(tx: Tx, company: CompanyId, id: number): Promise<Note> {
  return tx
    .selectFrom('premise_note')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('This note was not found.'))
}

const formOf = (note: Note, secrets: Secrets): NoteForm => ({
  kind: note.kind,
  location: locationFromRow(note),
  text: note.is_ended ? '' : secrets.open(note.text_sealed),
  agreedBy: note.agreed_by,
  agreedOn: note.agreed_on ?? '',
  agreedHow: note.agreed_how,
  confirmOn: note.confirm_on,
})

/**
 * Returns the stored columns of a note, except its location. The text is encrypted, so people who read the database
 * can't read it.
 */
export const sealedNote = (secrets: Secrets, form: Omit<NoteForm, 'location'>) => ({
  kind: form.kind,
  text_sealed: secrets.seal(form.text),
  agreed_by: form.agreedBy,
  agreed_on: form.agreedOn || null,
  agreed_how: form.agreedHow,
  confirm_on: form.confirmOn,
})

const FUTURE = 'Enter a consent date that is not in the future.'

async function rowOf(tx: Tx, { context, company }: Call, form: NoteForm) {
  if (form.agreedOn > dateIn(company.timeZone, context.clock.now())) throw rejected(FUTURE, { agreedOn: FUTURE })
  return { ...sealedNote(context.secrets, form), ...(await resolveLocationColumns(tx, company.id, form.location)) }
}

/** Subject for the audit log, which shows the address of a note but never its text. */
const subjectOf = (id: number) => ({ kind: 'premise_note' as const, id })

const writeCall = implement(writePremiseNote, (call) => {
  const { companyId: _named, ...form } = call.body
  const { company, context } = call
  return call.inCompany(async (tx) => {
    const row = await rowOf(tx, call, form)
    const { id } = await tx
      .insertInto('premise_note')
      .values({ company_id: company.id, ...row, written_at: context.clock.now(), written_by: callerName(call) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { kind: form.kind, location: row.location }
    await call.audit(tx, { action: 'premise_note.written', subject: subjectOf(id), detail })
    return { success: true as const, message: 'The note was added.', noteId: id }
  })
})

const ENDED = 'This note has ended. Add a new one.'

const saveCall = implement(savePremiseNote, (call) => {
  const { companyId: _named, noteId, basis, ...own } = call.body
  const { company, context } = call
  return call.inCompany(async (tx) => {
    const note = await lockNote(tx, company.id, noteId)
    if (note.is_ended) throw conflict('ended', ENDED)
    const before = formOf(note, context.secrets)
    const subject = `premise_note ${note.id}`
    const edit = editBy(tx, call, subject)
    const { after, isChanged } = await applyEdit<NoteForm>(edit, { basis, own, before })
    if (isChanged) {
      await tx
        .updateTable('premise_note')
        .set(await rowOf(tx, call, after))
        .where('company_id', '=', company.id)
        .where('id', '=', note.id)
        .execute()
      const detail = { kind: after.kind, location: after.location.text }
      await call.audit(tx, { action: 'premise_note.changed', subject: subjectOf(note.id), detail })
    }
    return { success: true as const, message: 'The note was saved.' }
  })
})

/** Returns a note with its text. First, saves the reader and the time with the note and in the audit log. */
const openCall = implement(openPremiseNote, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const note = await lockNote(tx, company.id, body.noteId)
    const { personId, privileges } = signedIn(call)
    await tx
      .insertInto('premise_note_access')
      .values({
        company_id: company.id,
        note_id: note.id,
        at: context.clock.now(),
        person_id: personId,
        by_name: callerName(call),
      })
      .execute()
    await call.audit(tx, {
      action: 'premise_note.opened',
      subject: subjectOf(note.id),
      detail: { kind: note.kind, location: note.location },
    })
    const views = await sql<{ at: Date; by_name: string }>`
      SELECT at, by_name FROM premise_note_access WHERE company_id = ${company.id} AND note_id = ${note.id}
      ORDER BY id DESC LIMIT ${MAX_VIEWS}`.execute(tx)
    return {
      id: note.id,
      form: formOf(note, context.secrets),
      writtenBy: note.written_by,
      writtenAt: note.written_at.toISOString(),
      endedAt: note.ended_at?.toISOString() ?? '',
      views: views.rows.map(({ at, by_name }) => ({ at: at.toISOString(), by: by_name })),
      can: { edit: !note.is_ended && may(privileges, 'premise_notes', 'update') },
    }
  })
})

/** Ends a note and erases its text, which is no longer needed. */
const endCall = implement(endPremiseNote, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const note = await lockNote(tx, company.id, body.noteId)
    if (note.is_ended) throw conflict('ended', ENDED)
    await tx
      .updateTable('premise_note')
      .set({ ended_at: context.clock.now(), text_sealed: context.secrets.seal('') })
      .where('company_id', '=', company.id)
      .where('id', '=', note.id)
      .execute()
    const detail = { kind: note.kind, location: note.location, reason: body.reason }
    await call.audit(tx, { action: 'premise_note.ended', subject: subjectOf(note.id), detail })
    return { success: true as const, message: 'The note was ended. Its text was erased.' }
  })
})

export const noteCalls = [writeCall, saveCall, openCall, endCall]
