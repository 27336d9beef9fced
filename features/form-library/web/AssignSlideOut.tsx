import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { dropDraft, readDraft, writeDraft } from '../../../web/drafts.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog, SlideOut } from '../../../web/ui/Dialog.tsx'
import { DiscardButton } from '../../../web/ui/FormButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { assignForm, showForm } from '../contract.ts'
import { formCompanies, forms } from '../list.ts'
import { type Change, changesOf, type Choice, toggled } from './choice.ts'
import { CompanyPicker } from './CompanyPicker.tsx'

/** Assignment of a form to companies: search, selection and a preview of the changes. */
export function AssignSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const { draft, choice, setChoice, added, removed, count, busy, refusal, isConfirmingAll, setIsConfirmingAll, save } =
    useAssignment(id, onClose)
  const loaded = useResponse(showForm, { templateId: id }).data
  const title = loaded?.form.title
  const lacking = loaded ? loaded.companies - loaded.form.assignedCount : 0
  const ids = (changes: readonly Change[]) => changes.map((change) => change.id)
  return (
    <SlideOut
      title={title ? t`Assign ${title}` : t`Assign`}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button
            variant="primary"
            busy={busy && !isConfirmingAll}
            disabled={count === 0}
            onClick={() => void save({ add: ids(added), remove: ids(removed) })}
          >
            {count === 0 ? <Trans>Save</Trans> : <Plural value={count} one="Save # change" other="Save # changes" />}
          </Button>
          <DiscardButton draft={draft} disabled={busy} onClose={onClose} />
        </>
      }
    >
      {refusal && (
        <Notice tone="danger" className="mb-4" focusable>
          {refusal}
        </Notice>
      )}
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <p>
          {loaded && (
            <Trans>
              Companies that have this form: <strong>{loaded.form.assignedCount.toLocaleString('en-US')}</strong> of{' '}
              {loaded.companies.toLocaleString('en-US')}
            </Trans>
          )}
        </p>
        <Button disabled={busy || count > 0 || lacking === 0} onClick={() => setIsConfirmingAll(true)}>
          <Trans>Assign to all companies</Trans>
        </Button>
      </div>
      <CompanyPicker id={id} choice={choice} onToggle={(companies, on) => setChoice(toggled(choice, companies, on))} />
      <h3 className="mt-6 mb-1 text-lg">
        <Trans>Changes</Trans>
      </h3>
      <div role="status" className="text-muted text-sm">
        {count === 0 ? (
          <Trans>No changes yet. Select the companies that should have this form.</Trans>
        ) : (
          <Trans>
            {added.length} to add, {removed.length} to remove.
          </Trans>
        )}
      </div>
      <Changes
        title={t`Companies to add`}
        changes={added}
        undo={(change) => setChoice(toggled(choice, [change], false))}
      />
      <Changes
        title={t`Companies to remove`}
        changes={removed}
        undo={(change) => setChoice(toggled(choice, [change], true))}
      />
      {isConfirmingAll && (
        <ConfirmDialog
          title={t`Assign this form to all companies?`}
          confirmLabel={<Plural value={lacking} one="Assign to # company" other="Assign to # companies" />}
          busy={busy}
          onConfirm={() => void save({ everyone: true })}
          onClose={() => setIsConfirmingAll(false)}
        >
          <Plural
            value={lacking}
            one="The form will be assigned to # company that does not have it yet."
            other="The form will be assigned to # companies that do not have it yet."
          />
        </ConfirmDialog>
      )}
    </SlideOut>
  )
}

/** Manages the companies that staff check and uncheck. A draft stores the selection until staff save it. */
function useAssignment(id: number, onClose: () => void) {
  const draft = `assign-form-${id}`
  const [choice, setChoice] = useState<Choice>(() => readDraft<Choice>(draft) ?? {})
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [isConfirmingAll, setIsConfirmingAll] = useState(false)
  const { added, removed } = changesOf(choice)
  const count = added.length + removed.length

  useEffect(() => {
    if (count > 0) writeDraft(draft, choice)
    else dropDraft(draft)
  }, [draft, choice, count])

  const save = async (changes: { add?: number[]; remove?: number[]; everyone?: boolean }) => {
    setBusy(true)
    setRefusal('')
    try {
      toast((await call(assignForm, { templateId: id, ...changes })).message)
      dropDraft(draft)
      await Promise.all([reload(forms.call), reload(showForm), reload(formCompanies.call)])
      onClose()
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
    setIsConfirmingAll(false)
  }
  return { draft, choice, setChoice, added, removed, count, busy, refusal, isConfirmingAll, setIsConfirmingAll, save }
}

interface ChangesProps {
  title: string
  changes: readonly Change[]
  undo: (change: Change) => void
}

function Changes({ title, changes, undo }: ChangesProps) {
  const { t } = useLingui()
  if (changes.length === 0) return null
  return (
    <section aria-label={title} className="mt-3">
      <h4 className="font-body font-bold text-sm">{title}</h4>
      <ul className="border-line border-t">
        {changes.map((change) => (
          <li key={change.id} className="flex items-center justify-between gap-3 border-line border-b py-1">
            <span className="min-w-0 wrap-anywhere">{change.name}</span>
            <Button
              variant="quiet"
              size="small"
              aria-label={t`Undo the change for ${change.name}`}
              onClick={() => undo(change)}
            >
              <Trans>Undo</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
