import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type Definition, FIELD_LIMITS } from '../../../shared/fields/definition.ts'
import { mistakesIn } from '../../../shared/fields/mistakes.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { PrefillData } from '../../../shared/fields/prefill.ts'
import { type Upload, uploadNothing } from '../surroundings.tsx'
import { type NodeRef, remove, labelOf } from './changes.ts'
import { FieldConflicts } from './FieldConflicts.tsx'
import { FieldList } from './FieldList.tsx'
import { Text } from '../../ui/Text.tsx'
import { type WorkingCopyInput, useWorkingCopy } from './use-working-copy.ts'
import { type EditTarget, EditDialog, ConfirmPublish } from './BuilderDialogs.tsx'
import { Preview } from './Preview.tsx'

interface BuilderProps extends WorkingCopyInput {
  latestVersion: number
  today: string
  prefill?: PrefillData
  upload?: Upload
}

/** Editor for field definitions: a list of steps and fields, next to a phone preview. */
export default function Builder({
  latestVersion,
  today,
  prefill = { today },
  upload = uploadNothing,
  ...input
}: BuilderProps) {
  const { t } = useLingui()
  const copy = useWorkingCopy(input)
  const { draft, definition, change, conflict, busy, failure, isSaved } = copy
  const [edited, setEdited] = useState<EditTarget | null>(null)
  const [confirming, setConfirming] = useState<'publish' | NodeRef | null>(null)
  const [isMistakeListOpen, setMistakeListOpen] = useState(false)
  const mistakes = mistakesIn(definition)
  const takeAway = (node: NodeRef) => {
    const label = labelOf(definition, node)
    change(remove(definition, node), t`Removed “${label}”`)
    setConfirming(null)
  }

  return (
    <div>
      <Toolbar
        copy={copy}
        onAdd={(kind) => setEdited({ add: kind })}
        onPublish={() => {
          setMistakeListOpen(mistakes.length > 0)
          if (mistakes.length === 0) setConfirming('publish')
        }}
      />
      <SaveStatus latestVersion={latestVersion} isSaved={isSaved} />
      {failure && (
        <Notice tone="danger" focusable className="mb-4">
          {failure}
        </Notice>
      )}
      {conflict && (
        <FieldConflicts
          key={JSON.stringify(conflict.now)}
          conflict={conflict}
          busy={busy}
          onChosen={(next, from) => void copy.resolveConflict(next, from)}
        />
      )}
      {isMistakeListOpen && mistakes.length > 0 && <MistakeList definition={definition} mistakes={mistakes} />}
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_24.5rem]">
        <section aria-label={t`Steps and fields`} className="min-w-0">
          <FieldList
            definition={definition}
            onMove={(next, node) => change(next, t`Moved “${labelOf(definition, node)}”`)}
            onEdit={setEdited}
            onAdd={(step) => setEdited({ add: 'field', to: step })}
            onRemove={(node) =>
              'step' in node && definition.steps.some(({ id, fields }) => id === node.step && fields.length > 0)
                ? setConfirming(node)
                : takeAway(node)
            }
          />
        </section>
        <Preview definition={definition} today={today} prefill={prefill} upload={upload} draft={draft} />
      </div>

      {edited && (
        <EditDialog
          target={edited}
          definition={definition}
          draft={draft}
          onClose={() => setEdited(null)}
          onChange={(next, label) => {
            change(next, label)
            setEdited(null)
          }}
        />
      )}
      {confirming === 'publish' && (
        <ConfirmPublish
          latestVersion={latestVersion}
          busy={busy}
          onConfirm={() => void copy.publish().then(() => setConfirming(null))}
          onClose={() => setConfirming(null)}
        />
      )}
      {confirming !== null && confirming !== 'publish' && (
        <ConfirmDialog
          danger
          title={<Trans>Remove “{labelOf(definition, confirming)}” and its fields?</Trans>}
          confirmLabel={<Trans>Remove</Trans>}
          onConfirm={() => takeAway(confirming)}
          onClose={() => setConfirming(null)}
        >
          <Trans>You can undo this change.</Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface ToolbarProps {
  copy: ReturnType<typeof useWorkingCopy>
  onAdd: (kind: 'field' | 'step') => void
  onPublish: () => void
}

function Toolbar({ copy, onAdd, onPublish }: ToolbarProps) {
  const { definition, lastLabel } = copy
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <Button icon={Plus} disabled={definition.steps.length === 0} onClick={() => onAdd('field')}>
        <Trans>Add a field</Trans>
      </Button>
      <Button icon={Plus} disabled={definition.steps.length >= FIELD_LIMITS.steps} onClick={() => onAdd('step')}>
        <Trans>Add a step</Trans>
      </Button>
      <Button icon={Undo2} disabled={lastLabel === undefined} onClick={copy.undo}>
        {lastLabel === undefined ? <Trans>Undo</Trans> : <Trans>Undo: {lastLabel}</Trans>}
      </Button>
      <Button className="lg:ms-auto" disabled={copy.isSaved} busy={copy.busy} onClick={() => void copy.save()}>
        <Trans>Save as draft</Trans>
      </Button>
      <Button variant="primary" onClick={onPublish}>
        <Trans>Publish fields</Trans>
      </Button>
    </div>
  )
}

const SaveStatus = ({ latestVersion, isSaved }: { latestVersion: number; isSaved: boolean }) => (
  <p role="status" className="mb-4 text-muted text-sm">
    {latestVersion === 0 ? (
      <Trans>These fields are not published yet.</Trans>
    ) : (
      <Trans>
        Version {latestVersion} is in use and will not change. Your changes will become version {latestVersion + 1}.
      </Trans>
    )}{' '}
    {!isSaved && <Trans>Some changes are not saved yet.</Trans>}
  </p>
)

/** Lists the mistakes that prevent publication, each with the label of its step or field. */
const MistakeList = ({ definition, mistakes }: { definition: Definition; mistakes: ReturnType<typeof mistakesIn> }) => (
  <Notice
    tone="danger"
    focusable
    className="mb-4"
    title={
      <Plural
        value={mistakes.length}
        one="Fix # problem before you publish"
        other="Fix # problems before you publish"
      />
    }
  >
    <ul className="list-disc ps-5">
      {mistakes.map(({ path, text }) => (
        <li key={path.join('.') + text}>
          <Text>{nameAt(definition, path)}</Text> <Text>{text}</Text>
        </li>
      ))}
    </ul>
  </Notice>
)

/** Returns the label of the step or field with a mistake. */
function nameAt({ steps }: Definition, [, s, , f]: (string | number)[]): string {
  const step = steps[Number(s)]
  const name = typeof f === 'number' ? step?.fields[f]?.label : step?.title
  return name ? `“${name}”:` : ''
}
