import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type ChangedMeanwhile, same } from '../../../shared/edits.ts'
import { blankField, blankStep } from '../../../shared/fields/blank.ts'
import { type Definition, MOST } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { mistakesIn, nameFrom } from '../../../shared/fields/mistakes.ts'
import { sentenceOf } from '../../call.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { changedMeanwhile } from '../../ui/form.ts'
import { toast } from '../../ui/Toasts.tsx'
import { type Known, prefilled } from '../../../shared/fields/prefill.ts'
import { type Upload, uploadNothing } from '../surroundings.tsx'
import FieldSteps from '../FieldSteps.tsx'
import { type Place, remove, stepOf } from './changes.ts'
import { FieldEditor, NEW, StepEditor } from './Editors.tsx'
import { FieldCollisions } from './FieldCollisions.tsx'
import { FieldList } from './FieldList.tsx'
import { useHistory } from './use-history.ts'
import { Text } from '../../ui/Text.tsx'

interface BuilderProps {
  /** Tells the builder's drafts apart: the definition's number. */
  name: string
  /** What is kept by now. */
  kept: Definition
  latestVersion: number
  /**
   * Keeps the copy that staff work on, finished or not (`saveFieldSet`). Answers what is kept by now, which may hold what
   * others changed since `basis`; nothing where it is kept as it was sent. The name is another form's.
   */
  onSave: (definition: Definition, basis: Definition) => Promise<Definition | void> | Definition | void
  /** Publishes what was saved just now (`publishFieldSet`, which is told what was seen); answers the number of the version. */
  onPublish: (definition: Definition) => Promise<number> | number
  /** For the preview. */
  today: string
  known?: Known
  upload?: Upload
}

/** Staff define what is asked: a list of steps and fields, and beside it how a phone shows them. */
export default function Builder({
  name,
  kept,
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
  const [edited, setEdited] = useState<Place | { add: 'field' | 'step'; to?: string } | null>(null)
  const [asked, setAsked] = useState<'publish' | Place | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [told, setTold] = useState(false)
  const [clash, setClash] = useState<ChangedMeanwhile | null>(null)
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
  const labelOf = (place: Place): string =>
    'step' in place
      ? (definition.steps.find(({ id }) => id === place.step)?.title ?? '')
      : (allFields(definition).find((field) => field.name === place.field)?.label ?? '')

  const work = async (what: () => Promise<string>) => {
    setBusy(true)
    setFailure('')
    setClash(null)
    try {
      toast(await what())
    } catch (error) {
      const changed = changedMeanwhile(error)
      setClash(changed)
      if (!changed) setFailure(sentenceOf(error))
    }
    setBusy(false)
    setAsked(null)
  }
  /** @returns whether others had changed something else meanwhile, which is there now as well */
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
  const takeAway = (place: Place) => {
    const label = labelOf(place)
    change(remove(definition, place), t`Removed “${label}”`)
    setAsked(null)
  }

  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Button icon={Plus} disabled={!lastStep} onClick={() => setEdited({ add: 'field' })}>
          <Trans>Add a field</Trans>
        </Button>
        <Button icon={Plus} disabled={definition.steps.length >= MOST.steps} onClick={() => setEdited({ add: 'step' })}>
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
            setTold(mistakes.length > 0)
            if (mistakes.length === 0) setAsked('publish')
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
      {told && mistakes.length > 0 && (
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
            onMove={(next, place) => change(next, t`Moved “${labelOf(place)}”`)}
            onEdit={setEdited}
            onAdd={(step) => setEdited({ add: 'field', to: step })}
            onRemove={(place) =>
              'step' in place && definition.steps.some(({ id, fields }) => id === place.step && fields.length > 0)
                ? setAsked(place)
                : takeAway(place)
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
          begun={editedField ?? blankField('text', NEW)}
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
          begun={
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
      {asked === 'publish' && (
        <ConfirmDialog
          title={<Trans>Publish version {latestVersion + 1} of the fields?</Trans>}
          confirmLabel={<Trans>Publish the fields</Trans>}
          busy={busy}
          onConfirm={() => void publish()}
          onClose={() => setAsked(null)}
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
      {asked !== null && asked !== 'publish' && (
        <ConfirmDialog
          danger
          title={<Trans>Remove “{labelOf(asked)}” and its fields?</Trans>}
          confirmLabel={<Trans>Remove</Trans>}
          onConfirm={() => takeAway(asked)}
          onClose={() => setAsked(null)}
        >
          <Trans>Undo brings them back.</Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The label of the thing that a mistake is about. */
function nameAt({ steps }: Definition, [, s, , f]: (string | number)[]): string {
  const step = steps[Number(s)]
  const name = typeof f === 'number' ? step?.fields[f]?.label : step?.title
  return name ? `“${name}”:` : ''
}

interface PreviewProps extends Required<Pick<BuilderProps, 'today' | 'known' | 'upload'>> {
  definition: Definition
  draft: string
}

/** As a phone of 375 pixels shows it. It can be filled in, and keeps nothing. */
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
          // Other questions begin anew, as they would for whoever opens them.
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
