import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangedMeanwhile, Collision } from '../../../shared/edits.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/words.ts'
import { call, CallError, sentenceOf } from '../../../web/call.ts'
import { longInstant, shortInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { queries, reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { returnConflict, settleConflict } from '../contract.ts'
import { conflicts } from '../list.ts'
import type { Parts } from './field.ts'
import { conflictStates } from '../states.ts'

type Details = AnswerOf<typeof returnConflict>
type Labels = Readonly<Record<string, string>>
type Choice = 'mine' | 'theirs' | 'both'

/** What was done without a connection and met what others had done. What is on show stands in the address. */
export function Conflicts({ parts }: { parts: Parts | null }) {
  const { t } = useLingui()
  const asked = Number(useQueryParam('conflict') ?? 0)
  const show = (id: number) => setQuery({ conflict: String(id) })
  return (
    <>
      <ListScreen
        of={conflicts}
        level={2}
        rowName={({ label, subject }) => `${label}, ${subject}`}
        onRow={({ id }) => show(id)}
        actions={{ view: ({ id }) => show(id) }}
        empty={t`No change made in the field waits for a choice.`}
      />
      {asked > 0 && <OneConflict key={asked} id={asked} parts={parts} onClose={() => setQuery({ conflict: null })} />}
    </>
  )
}

function OneConflict({ id, parts, onClose }: { id: number; parts: Parts | null; onClose: () => void }) {
  const { t } = useLingui()
  const shown = useQuery(
    {
      queryKey: [returnConflict.path, id],
      queryFn: ({ signal }) => call(returnConflict, { conflictId: id }, { signal }),
    },
    queries,
  )
  const { data } = shown
  if (data) return <Chooser conflict={data} labels={parts?.get(data.part)?.fieldLabels ?? {}} onClose={onClose} />
  return (
    <SlideOut title={t`Conflict`} onClose={onClose}>
      {shown.isError ? (
        <Failed error={shown.error} onRetry={() => void shown.refetch()} />
      ) : (
        <LoadingState>
          <Trans>Loading the conflict</Trans>
        </LoadingState>
      )}
    </SlideOut>
  )
}

/** Both sides of a conflict, and the choice. */
function Chooser({ conflict, labels, onClose }: { conflict: Details; labels: Labels; onClose: () => void }) {
  const { t } = useLingui()
  const [collisions, setCollisions] = useState(conflict.collisions as Collision[])
  const [choice, setChoice] = useState<Choice | null>(null)
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const { id, subject, label, by, madeAt, can, status, preview } = conflict
  const save = async () => {
    if (!choice) return setRefusal(t`Choose what counts.`)
    setBusy(true)
    setRefusal('')
    const seen = Object.fromEntries(collisions.map(({ field, theirs }) => [field, theirs]))
    try {
      toast((await call(settleConflict, { conflictId: id, choice, seen })).message)
      await Promise.all([reload(conflicts.call), reload(returnConflict)])
      onClose()
    } catch (problem) {
      // The same was changed once more: both sides stand here as they are by now, and the choice is made anew.
      if (problem instanceof CallError && problem.code === 'changed_meanwhile') {
        setCollisions((problem.details as unknown as ChangedMeanwhile).collisions)
        setChoice(null)
      }
      setRefusal(sentenceOf(problem))
    }
    setBusy(false)
  }
  return (
    <SlideOut
      title={subject}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          {can.settle && (
            <Button look="primary" busy={busy} onClick={() => void save()}>
              <Trans>Let this count</Trans>
            </Button>
          )}
          <Button onClick={onClose} disabled={busy}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p>
          <strong className="wrap-anywhere">{label}</strong>
          <span className="block text-muted text-sm">
            {by}, {shortInstant(madeAt)}
          </span>
        </p>
        <StateBadge of={conflictStates} state={status} className="self-start" />
        {preview && <img src={preview} alt={label} className="max-h-40 self-start rounded-sm border border-line" />}
        {collisions.length > 0 ? (
          <SidesTable collisions={collisions} labels={labels} by={by} />
        ) : (
          <p>
            <Trans>When it came in, the portal said: {conflict.refusal}</Trans>
          </p>
        )}
        <Refusal>{refusal}</Refusal>
        {can.settle ? (
          <RadioCards<Choice>
            name="choice"
            label={t`What counts`}
            value={choice}
            onChange={setChoice}
            options={[
              {
                value: 'theirs',
                label: t`Leave it as it is there`,
                note: t`What was done in the field is kept here only.`,
              },
              {
                value: 'mine',
                label: t`Take what was done in the field`,
                note: t`It is done again on top of what is there.`,
              },
              ...(can.both ? [{ value: 'both' as const, label: t`Both`, note: t`One below the other.` }] : []),
            ]}
          />
        ) : (
          conflict.settledAt && (
            <p>
              <Trans>
                {conflict.settledBy} chose this on {longInstant(conflict.settledAt)}.
              </Trans>
            </p>
          )
        )}
      </div>
    </SlideOut>
  )
}

const said = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Both values of each field that two people changed. */
function SidesTable({ collisions, labels, by }: { collisions: readonly Collision[]; labels: Labels; by: string }) {
  return (
    <dl className="flex flex-col gap-4">
      {collisions.map(({ field, label, words, mine, theirs, by: other, at }) => (
        <div key={field} className="rounded-sm border border-line p-3">
          <dt className="mb-2 font-bold">{label ?? translated(labels[field] ?? field)}</dt>
          <dd className="mb-2">
            <span className="block text-muted text-sm">
              <Trans>In the field, {by}</Trans>
            </span>
            <span className="whitespace-pre-wrap wrap-anywhere">{words?.mine ?? said(mine)}</span>
          </dd>
          <dd>
            <span className="block text-muted text-sm">
              {other ? (
                <Trans>
                  There now, {other} {at && longInstant(at)}
                </Trans>
              ) : (
                <Trans>There now</Trans>
              )}
            </span>
            <span className="whitespace-pre-wrap wrap-anywhere">{words?.theirs ?? said(theirs)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
