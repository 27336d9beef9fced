import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { endPremiseNote, openPremiseNote, savePremiseNote, writePremiseNote } from '../contract.ts'
import { premiseNotes } from '../list.ts'
import { noteLabels } from '../rules.ts'
import { type NoteDetails, reloadNotes } from './fresh.ts'
import { blankNote, NoteForm } from './NoteForm.tsx'
import { QueryItem } from '../../../web/query-item.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

/** Table of premise notes without their text. Staff open the text of each note separately. */
export function NotesTable() {
  const open = ({ id }: { id: number }) => setQuery({ note: String(id) })
  return (
    <ListScreen
      of={premiseNotes}
      level={2}
      rowName={({ location }) => location}
      actions={{ view: open }}
      onRow={open}
      headActions={
        may('premise_notes', 'create') && (
          <Button icon={Plus} onClick={() => setQuery({ panel: 'note' })}>
            <Trans>Add a note</Trans>
          </Button>
        )
      }
      note={
        <p className="text-muted text-sm">
          <Trans>Each view of a note is logged with the name of the viewer.</Trans>
        </p>
      }
      empty={
        <EmptyState icon={ShieldAlert} title={<Trans>No premise notes yet</Trans>}>
          <Trans>Record hazards, gate codes, and people who agreed to share information with responders.</Trans>
        </EmptyState>
      }
    />
  )
}

export const NewNote = ({ onClose }: { onClose: () => void }) => (
  <NoteForm
    title={<Trans>Add a premise note</Trans>}
    start={blankNote()}
    draft="premise-note:new"
    onClose={onClose}
    onSave={async (values) => {
      const { message } = await call(writePremiseNote, values)
      onClose()
      return message
    }}
  />
)

/** Panel for the note with the id from the URL. The server logs each view of a note. */
export const NoteFromQuery = () => (
  <QueryItem name="note">{(id, close) => <NoteSlideOut id={id} onClose={close} />}</QueryItem>
)

function NoteSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(openPremiseNote, { noteId: id })
  const [panel, setPanel] = useState<'edit' | 'end' | null>(null)
  const { data } = response
  const back = () => setPanel(null)
  if (panel === 'edit' && data?.can.edit)
    return (
      <NoteForm
        title={<Trans>Edit the note</Trans>}
        start={data.form}
        basis={data.form}
        draft={`premise-note:${id}`}
        onClose={back}
        onSave={async (values, basis) => {
          const { message } = await call(savePremiseNote, { ...values, noteId: id, basis })
          await response.refetch()
          back()
          return message
        }}
      />
    )
  return (
    <ResponseSlideOut
      title={data ? translated(noteLabels[data.form.kind]) : <Trans>Premise note</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the note</Trans>}
      failed={<Trans>This note could not be opened</Trans>}
    >
      {(note) => (
        <>
          <NoteText note={note} />
          {note.can.edit && (
            <div className="mt-5 flex flex-wrap gap-2">
              <Button size="small" onClick={() => setPanel('edit')}>
                <Trans>Edit</Trans>
              </Button>
              <Button size="small" onClick={() => setPanel('end')}>
                <Trans>End the note</Trans>
              </Button>
            </div>
          )}
          <section className="mt-7">
            <h3 className="mb-2 text-lg">
              <Trans>Viewed by</Trans>
            </h3>
            <ol className="flex flex-col gap-1 text-sm">
              {note.views.map(({ at, by }) => (
                <li key={at + by}>
                  <Code>{by}</Code> · <Text>{shortInstant(at)}</Text>
                </li>
              ))}
            </ol>
          </section>
          {panel === 'end' && (
            <ReasonDialog
              title={t`End the note`}
              text={
                <Trans>
                  The text will be permanently erased. The ended note will stay in the list with its view history.
                </Trans>
              }
              draft={`premise-note-end:${id}`}
              onClose={back}
              onReason={async (reason) => {
                toast((await call(endPremiseNote, { noteId: id, reason })).message)
                await Promise.all([reloadNotes(), response.refetch()])
              }}
            />
          )}
        </>
      )}
    </ResponseSlideOut>
  )
}

function NoteText({ note: { form, writtenBy, writtenAt, endedAt } }: { note: NoteDetails }) {
  const { t } = useLingui()
  return (
    <>
      {endedAt ? (
        <p className="mb-4 text-muted">
          <Trans>This note ended on {shortInstant(endedAt)}. Its text was erased.</Trans>
        </p>
      ) : (
        <p className="mb-4 whitespace-pre-line rounded-sm border border-edge bg-tint p-3 wrap-anywhere">{form.text}</p>
      )}
      <DetailList
        className="text-table"
        details={[
          [t`Location`, form.location.text],
          ...(form.agreedBy
            ? [[t`Consent`, `${form.agreedBy}, ${formatShortDate(form.agreedOn)}, ${form.agreedHow}`] as const]
            : []),
          [t`Confirmation due`, formatShortDate(form.confirmOn)],
          [t`Created`, `${writtenBy}, ${shortInstant(writtenAt)}`],
        ]}
      />
    </>
  )
}
