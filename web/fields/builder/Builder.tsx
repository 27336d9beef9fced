import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type EditConflict, same } from '../../../shared/edits.ts'
import { blankField, blankStep } from '../../../shared/fields/blank.ts'
import { type Definition, FIELD_LIMITS } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { mistakesIn, nameFrom } from '../../../shared/fields/mistakes.ts'
import { messageOf } from '../../call.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { changedMeanwhile } from '../../ui/form.ts'
import { toast } from '../../ui/Toasts.tsx'
import { type PrefillData, prefilled } from '../../../shared/fields/prefill.ts'
import { type Upload, uploadNothing } from '../surroundings.tsx'
import FieldSteps from '../FieldSteps.tsx'
import { type NodeRef, remove, stepOf } from './changes.ts'
import { FieldEditor, NEW, StepEditor } from './Editors.tsx'
import { FieldCollisions } from './FieldCollisions.tsx'
import { FieldList } from './FieldList.tsx'
import { useHistory } from './use-history.ts'
import { Text } from '../../ui/Text.tsx'

interface BuilderProps {
  /** Id of the definition, which distinguishes the builder's drafts. */
  name: string
  /** The stored definition. */
  stored: Definition
  latestVersion: number
  /**
   * Saves the working copy of staff, finished or not (`saveFieldSet`). Returns the stored version if it includes
   * changes of others since `basis`, else nothing. Another form saves the definition's name.
   */
  onSave: (definition: Definition, basis: Definition) => Promise<Definition | void> | Definition | void
  /** Publishes the saved version (`publishFieldSet`, which receives the seen version). Returns the version number. */
  onPublish: (definition: Definition) => Promise<number> | number
  today: string
  known?: PrefillData
  upload?: Upload
}

/** Editor for field definitions: a list of steps and fields, next to a phone preview. */
export default function Builder({
  name,
  stored: kept,
  latestVersion,
  onSave,
  onPublish,
  today,
  known = { today },
  upload = uploadNothing,
}: BuilderProps) {
  const { t } = useLingui()
  const draft = `builder-${name}`
  const { thing: definition, basis, change, goOn, lastWords, undo } = useHistory<Definition>(draft, kept)
  const [edited, setEdited] = useState<NodeRef | { add: 'field' | 'step'; to?: string } | null>(null)
  const [confirming, setConfirming] = useState<'publish' | NodeRef | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [showsMistakes, setShowsMistakes] = useState(false)
  const [clash, setClash] = useState<EditConflict | null>(null)
  const mistakes = mistakesIn(definition)
  const isSaved = same(definition, basis)
  const lastStep = definition.steps.at(-1)
  const editedStep =
    edited && 'field' in edited
      ? stepOf(definition, edited.field)
      : edited && 'to' in edited
        ? definition.steps.find(({ id }) => id === edited.to)
        : lastStep
  const editedField =
    edited && 'field' in edited ? editedStep?.fields.find((one) => one.name === edited.field) : undefined
  const labelOf = (node: NodeRef): string =>
    'step' in node
      ? (definition.steps.find(({ id }) => id === node.step)?.title ?? '')
      : (allFields(definition).find((field) => field.name === node.field)?.label ?? '')

  const work = async (what: () => Promise<string>) => {
    setBusy(true)
    setFailure('')
    setClash(null)
    try {
      toast(await what())
    } catch (error) {
      const changed = changedMeanwhile(error)
      setClash(changed)
      if (!changed) setFailure(messageOf(error))
    }
    setBusy(false)
    setConfirming(null)
  }
  /** @returns true if others had changed other parts, which are now included */
  const keep = async (next: Definition, from: Definition): Promise<boolean> => {
    const now = (await onSave(next, from)) ?? next
    const isJoined = !same(now, next)
    goOn(now, now, isJoined ? t`Joined with what others changed` : undefined)
    return isJoined
  }
  const save = (next = definition, from = basis) =>
    work(async () =>
      (await keep(next, from))
        ? t`The draft is saved. What others changed meanwhile is in it now.`
        : t`The draft is saved.`,
    )
  const publish = () =>
    work(async () => {
      if (await keep(definition, basis))
        return t`Others changed something meanwhile, so nothing is published yet. Look at it, then publish.`
      const version = await onPublish(definition)
      return t`Version ${version} of the fields is published.`
    })
  const takeAway = (node: NodeRef) => {
    const label = labelOf(node)
    change(remove(definition, node), t`Removed “${label}”`)
    setConfirming(null)
  }

  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Button icon={Plus} disabled={!lastStep} onClick={() => setEdited({ add: 'field' })}>
          <Trans>Add a field</Trans>
        </Button>
        <Button
          icon={Plus}
          disabled={definition.steps.length >= FIELD_LIMITS.steps}
          onClick={() => setEdited({ add: 'step' })}
        >
          <Trans>Add a step</Trans>
        </Button>
        <Button icon={Undo2} disabled={lastWords === undefined} onClick={undo}>
          {lastWords === undefined ? <Trans>Undo</Trans> : <Trans>Undo: {lastWords}</Trans>}
        </Button>
        <Button className="lg:ms-auto" disabled={isSaved} busy={busy} onClick={() => void save()}>
          <Trans>Save as draft</Trans>
        </Button>
        <Button
          look="primary"
          onClick={() => {
            setShowsMistakes(mistakes.length > 0)
            if (mistakes.length === 0) setConfirming('publish')
          }}
        >
          <Trans>Publish the fields</Trans>
        </Button>
      </div>
      <p role="status" className="mb-4 text-muted text-sm">
        {latestVersion === 0 ? (
          <Trans>These fields are not published yet.</Trans>
        ) : (
          <Trans>
            Version {latestVersion} is in use and stays as it is: your change makes version {latestVersion + 1}.
          </Trans>
        )}{' '}
        {!isSaved && <Trans>Some of this is not saved yet.</Trans>}
      </p>
      {failure && (
        <Notice tone="danger" focusable className="mb-4">
          {failure}
        </Notice>
      )}
      {clash && (
        <FieldCollisions
          key={JSON.stringify(clash.now)}
          clash={clash}
          busy={busy}
          onChosen={(next, from) => {
            goOn(next, from, t`Chose between two changes`)
            void save(next, from)
          }}
        />
      )}
      {showsMistakes && mistakes.length > 0 && (
        <Notice
          tone="danger"
          focusable
          className="mb-4"
          title={
            <Plural
              value={mistakes.length}
              one="# thing has to be mended before this can be published"
              other="# things have to be mended before this can be published"
            />
          }
        >
          <ul className="list-disc ps-5">
            {mistakes.map(({ path, says }) => (
              <li key={path.join('.') + says}>
                <Text>{nameAt(definition, path)}</Text> <Text>{says}</Text>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_24.5rem]">
        <section aria-label={t`Steps and fields`} className="min-w-0">
          <FieldList
            definition={definition}
            onMove={(next, node) => change(next, t`Moved “${labelOf(node)}”`)}
            onEdit={setEdited}
            onAdd={(step) => setEdited({ add: 'field', to: step })}
            onRemove={(node) =>
              'step' in node && definition.steps.some(({ id, fields }) => id === node.step && fields.length > 0)
                ? setConfirming(node)
                : takeAway(node)
            }
          />
        </section>
        <Preview {...{ definition, today, known, upload, draft }} />
      </div>

      {edited && ((editedField && editedStep) || ('add' in edited && edited.add === 'field' && lastStep)) && (
        <FieldEditor
          definition={definition}
          stepId={(editedStep ?? lastStep)?.id ?? ''}
          draft={`${draft}-${editedField?.name ?? NEW}`}
          initial={editedField ?? blankField('text', NEW)}
          onClose={() => setEdited(null)}
          onDone={(next, { label }) => {
            change(next, editedField ? t`Changed “${label}”` : t`Added “${label}”`)
            setEdited(null)
          }}
        />
      )}
      {edited && ('step' in edited || ('add' in edited && edited.add === 'step')) && (
        <StepEditor
          definition={definition}
          draft={`${draft}-${'step' in edited ? `step-${edited.step}` : 'new-step'}`}
          initial={
            definition.steps.find(({ id }) => 'step' in edited && id === edited.step) ??
            blankStep(
              nameFrom(
                'step',
                definition.steps.map(({ id }) => id),
              ),
            )
          }
          onClose={() => setEdited(null)}
          onDone={(next, { title }) => {
            change(next, 'step' in edited ? t`Changed “${title}”` : t`Added “${title}”`)
            setEdited(null)
          }}
        />
      )}
      {confirming === 'publish' && (
        <ConfirmDialog
          title={<Trans>Publish version {latestVersion + 1} of the fields?</Trans>}
          confirmLabel={<Trans>Publish the fields</Trans>}
          busy={busy}
          onConfirm={() => void publish()}
          onClose={() => setConfirming(null)}
        >
          {latestVersion === 0 ? (
            <Trans>From now on this is what is asked.</Trans>
          ) : (
            <Trans>
              From now on people fill in version {latestVersion + 1}. Answers that were given stay with the version that
              they were given to. What people have begun is carried over, and they are told what changed.
            </Trans>
          )}
        </ConfirmDialog>
      )}
      {confirming !== null && confirming !== 'publish' && (
        <ConfirmDialog
          danger
          title={<Trans>Remove “{labelOf(confirming)}” and its fields?</Trans>}
          confirmLabel={<Trans>Remove</Trans>}
          onConfirm={() => takeAway(confirming)}
          onClose={() => setConfirming(null)}
        >
          <Trans>Undo brings them back.</Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Returns the label of the step or field with a mistake. */
function nameAt({ steps }: Definition, [, s, , f]: (string | number)[]): string {
  const step = steps[Number(s)]
  const name = typeof f === 'number' ? step?.fields[f]?.label : step?.title
  return name ? `“${name}”:` : ''
}

interface PreviewProps extends Required<Pick<BuilderProps, 'today' | 'known' | 'upload'>> {
  definition: Definition
  draft: string
}

/** Preview on a phone of 375 pixels. It can be filled in, and nothing is saved. */
function Preview({ definition, today, known, upload, draft }: PreviewProps) {
  const { t } = useLingui()
  const [round, setRound] = useState(0)
  return (
    <section
      aria-label={t`Preview`}
      className="min-w-0 lg:sticky lg:top-4 lg:max-h-[calc(100vh-2rem)] lg:self-start lg:overflow-y-auto"
    >
      <h3 className="mb-2">
        <Trans>Preview on a phone</Trans>
      </h3>
      <div className="mx-auto max-w-93.75 rounded-sm border border-edge bg-paper p-4">
        <FieldSteps
          // Changed questions reset the preview, as for a person who opens the form.
          key={`${JSON.stringify(definition)} ${round}`}
          definition={definition}
          start={prefilled(definition, known)}
          today={today}
          upload={upload}
          draft={`${draft}-preview`}
          doneLabel={<Trans>Send</Trans>}
          onDone={() => {
            toast(t`Everything is filled in as it should be. Nothing was sent: this is a preview.`)
            setRound((n) => n + 1)
          }}
        />
      </div>
    </section>
  )
}
