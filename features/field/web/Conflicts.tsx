import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EditConflict } from '../../../shared/edits.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/messages.ts'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { longInstant, shortInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { queries, reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { ConflictChoice, type Side, SideBySide } from '../../../web/ui/ConflictChoice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { returnConflict, resolveConflict } from '../contract.ts'
import { conflicts } from '../list.ts'
import { bothOf } from '../rules.ts'
import type { Parts } from './field.ts'
import { conflictStates } from '../states.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Details = ResponseOf<typeof returnConflict>
type Labels = Readonly<Record<string, string>>
type Field = Details['fieldConflicts'][number]
type ConflictSide = 'own' | 'others'

/** List of sync conflicts. The URL contains the id of the open conflict. */
export function Conflicts({ parts }: { parts: Parts | null }) {
  const { t } = useLingui()
  const conflictId = Number(useQueryParam('conflict') ?? 0)
  const show = (id: number) => setQuery({ conflict: String(id) })
  return (
    <>
      <ListScreen
        of={conflicts}
        level={2}
        rowName={({ label, subject }) => `${label}, ${subject}`}
        onRow={({ id }) => show(id)}
        actions={{ view: ({ id }) => show(id) }}
        empty={t`No sync conflicts need a decision.`}
      />
      {conflictId > 0 && (
        <OneConflict key={conflictId} id={conflictId} parts={parts} onClose={() => setQuery({ conflict: null })} />
      )}
    </>
  )
}

function OneConflict({ id, parts, onClose }: { id: number; parts: Parts | null; onClose: () => void }) {
  const { t } = useLingui()
  const conflictQuery = useQuery(
    {
      queryKey: [returnConflict.path, id],
      queryFn: ({ signal }) => call(returnConflict, { conflictId: id }, { signal }),
    },
    queries,
  )
  const { data } = conflictQuery
  if (data) return <Chooser conflict={data} labels={parts?.get(data.part)?.fieldLabels ?? {}} onClose={onClose} />
  return (
    <SlideOut title={t`Sync conflict`} onClose={onClose}>
      {conflictQuery.isError ? (
        <Failed error={conflictQuery.error} onRetry={() => void conflictQuery.refetch()} />
      ) : (
        <LoadingState>
          <Trans>Loading the sync conflict</Trans>
        </LoadingState>
      )}
    </SlideOut>
  )
}

/** Both sides of a conflict and the choice: for each collided field, or for the whole action if no field collided. */
function Chooser({ conflict, labels, onClose }: { conflict: Details; labels: Labels; onClose: () => void }) {
  const { t } = useLingui()
  const { fieldConflicts, isByField, sides, setSides, whole, setWhole, unchosen, refusal, busy, resolve, save } =
    useChoice(conflict, onClose)
  const { subject, label, by, madeAt, can, status, preview } = conflict
  const nameOf = ({ field, label }: Field) => label ?? translated(labels[field] ?? field)
  return (
    <SlideOut
      title={subject}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          {can.decide && (
            <Button variant="primary" busy={busy} onClick={save}>
              <Trans>Save decision</Trans>
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
            <Code>{by}</Code>, <Text>{shortInstant(madeAt)}</Text>
          </span>
        </p>
        <StateBadge of={conflictStates} state={status} className="self-start" />
        {preview && <img src={preview} alt={label} className="max-h-40 self-start rounded-sm border border-line" />}
        {!isByField && (
          <p>
            <Trans>The portal rejected this change: {conflict.refusal}</Trans>
          </p>
        )}
        {isByField && can.decide && (
          <SideBySide
            unchosen={unchosen}
            text={
              <Trans>
                Choose which version of each value to keep. Other changes made in the field will also be applied.
              </Trans>
            }
          >
            {fieldConflicts.map((fieldConflict) => (
              <ConflictChoice
                key={fieldConflict.field}
                name={`choice-${fieldConflict.field}`}
                label={nameOf(fieldConflict)}
                by={fieldConflict.by || t`Current version`}
                at={fieldConflict.at}
                ownLabel={t`From the field`}
                others={<SideValue value={fieldConflict.others} textValue={fieldConflict.texts?.others} />}
                own={<SideValue value={fieldConflict.own} textValue={fieldConflict.texts?.own} />}
                both={bothOf(fieldConflict) !== undefined && t`Both values, one below the other.`}
                value={sides[fieldConflict.field]}
                unchosen={unchosen}
                onChoose={(side) => setSides({ ...sides, [fieldConflict.field]: side })}
              />
            ))}
            <div>
              <Button size="small" disabled={busy} onClick={() => void resolve({ choice: 'others' })}>
                <Trans>Keep all current values</Trans>
              </Button>
            </div>
          </SideBySide>
        )}
        {isByField && !can.decide && <SidesTable fieldConflicts={fieldConflicts} nameOf={nameOf} by={by} />}
        <Refusal>{refusal}</Refusal>
        {can.decide && !isByField && <WholeChoice value={whole} onChange={setWhole} />}
        {conflict.decidedAt && (
          <p>
            <Trans>
              {conflict.decidedBy} made this decision on {longInstant(conflict.decidedAt)}.
            </Trans>
          </p>
        )}
      </div>
    </SlideOut>
  )
}

/** Manages the staff member's choice between the values from the field and the current values, and saves it. */
function useChoice(conflict: Details, onClose: () => void) {
  const { t } = useLingui()
  const [fieldConflicts, setFieldConflicts] = useState(conflict.fieldConflicts)
  const [sides, setSides] = useState<Record<string, Side>>({})
  const [whole, setWhole] = useState<ConflictSide | null>(null)
  const [unchosen, setUnchosen] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const { id } = conflict
  const isByField = fieldConflicts.length > 0
  const resolve = async (choice: { choice: ConflictSide } | { choices: Record<string, Side> }) => {
    setBusy(true)
    setRefusal('')
    const seen = Object.fromEntries(fieldConflicts.map(({ field, others }) => [field, others]))
    try {
      toast((await call(resolveConflict, { conflictId: id, ...choice, seen })).message)
      await Promise.all([reload(conflicts.call), reload(returnConflict)])
      onClose()
    } catch (problem) {
      // The field has changed again. Both sides show the current values, and the choice starts over.
      if (problem instanceof CallError && problem.code === 'edit_conflict') {
        const { fieldConflicts: now } = problem.details as unknown as EditConflict
        const again = new Set(now.map(({ field }) => field))
        setFieldConflicts([...fieldConflicts.filter(({ field }) => !again.has(field)), ...now])
        setSides(Object.fromEntries(Object.entries(sides).filter(([field]) => !again.has(field))))
      }
      setRefusal(messageOf(problem))
    }
    setBusy(false)
  }
  const save = () => {
    const open = isByField ? fieldConflicts.some(({ field }) => !sides[field]) : whole === null
    setUnchosen(open)
    if (open) return setRefusal(t`Choose a version.`)
    return void resolve(whole ? { choice: whole } : { choices: sides })
  }
  return { fieldConflicts, isByField, sides, setSides, whole, setWhole, unchosen, refusal, busy, resolve, save }
}

interface WholeChoiceProps {
  value: ConflictSide | null
  onChange: (side: ConflictSide) => void
}

function WholeChoice({ value, onChange }: WholeChoiceProps) {
  const { t } = useLingui()
  return (
    <RadioCards<ConflictSide>
      name="choice"
      label={t`Version to keep`}
      value={value}
      onChange={onChange}
      options={[
        {
          value: 'others',
          label: t`Keep the current version`,
          note: t`The change from the field will not be applied. It will stay only in this conflict record.`,
        },
        {
          value: 'own',
          label: t`Apply the change from the field`,
          note: t`The change from the field will be applied to the current version.`,
        },
      ]}
    />
  )
}

function SideValue({ value, textValue }: { value: unknown; textValue: string | undefined }) {
  const { t } = useLingui()
  const textOf = (one: unknown): string => {
    if (typeof one === 'boolean') return one ? t`Yes` : t`No`
    if (Array.isArray(one)) return one.map(textOf).join(', ')
    if (typeof one === 'object' && one !== null && 'text' in one) return textOf(one.text)
    if (typeof one === 'string') return one
    return one === null || one === undefined ? '' : JSON.stringify(one)
  }
  return <span className="whitespace-pre-wrap wrap-anywhere">{textValue || textOf(value) || t`(empty)`}</span>
}

interface SidesProps {
  fieldConflicts: readonly Field[]
  nameOf: (field: Field) => string
  by: string
}

/** Table with both values of each collided field and, after the choice, the value that was applied. */
function SidesTable({ fieldConflicts, nameOf, by }: SidesProps) {
  return (
    <dl className="flex flex-col gap-4">
      {fieldConflicts.map((fieldConflict) => (
        <div key={fieldConflict.field} className="rounded-sm border border-line p-3">
          <dt className="mb-2 flex flex-wrap items-center justify-between gap-2 font-bold">
            <Text>{nameOf(fieldConflict)}</Text>
            {fieldConflict.chosen && <StateBadge of={conflictStates} state={fieldConflict.chosen} />}
          </dt>
          <dd className="mb-2">
            <span className="block text-muted text-sm">
              <Trans>From the field, by {by}</Trans>
            </span>
            <SideValue value={fieldConflict.own} textValue={fieldConflict.texts?.own} />
          </dd>
          <dd>
            <span className="block text-muted text-sm">
              {fieldConflict.by ? (
                fieldConflict.at ? (
                  <Trans>
                    Current version, by {fieldConflict.by} on {longInstant(fieldConflict.at)}
                  </Trans>
                ) : (
                  <Trans>Current version, by {fieldConflict.by}</Trans>
                )
              ) : (
                <Trans>Current version</Trans>
              )}
            </span>
            <SideValue value={fieldConflict.others} textValue={fieldConflict.texts?.others} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
