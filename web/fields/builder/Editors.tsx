import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type Definition,
  type Field,
  type FieldType,
  fieldTypes,
  sketch,
  type FormStep,
} from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { blankField } from '../../../shared/fields/blank.ts'
import { mistakesIn, nameFrom } from '../../../shared/fields/mistakes.ts'
import { dropDraft, readDraft, writeDraft } from '../../drafts.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { SlideOut } from '../../ui/Dialog.tsx'
import { DiscardButton } from '../../ui/FormButtons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { putField, replaceField, replaceStep } from './changes.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { typeLabels } from './labels.ts'
import { PrefillSelect, TypeSettings } from './TypeSettings.tsx'
import { Text } from '../../ui/Text.tsx'

interface EditorProps<Item> {
  definition: Definition
  /** Draft name, under which unsaved text survives a reload. */
  draft: string
  initial: Item
  onDone: (definition: Definition, item: Item) => void
  onClose: () => void
}

/** Lists the mistakes in one step or field of a definition, by the affected part. */
function faultsAt(definition: Definition, path: (string | number)[]): Map<string, string> {
  const start = path.join('.')
  // Malformed numbers and days are errors of the schema. The schema runs before the checks of the content.
  const issues = sketch
    .safeParse(definition)
    .error?.issues.map(({ path: at, message }) => ({ path: at, text: message }))
  const entries = [...(issues ?? []), ...mistakesIn(definition)]
    .map(({ path: at, text }) => [at.join('.'), text] as const)
    .filter(([at]) => at.startsWith(`${start}.`))
    .map(([at, message]) => [at.slice(start.length + 1), message] as const)
  return new Map(entries.toReversed())
}

/** Edits a copy of a step or field. The definition changes only when the person finishes and the copy is valid. */
function useEdited<Item>({ draft, initial }: EditorProps<Item>) {
  const [item, setItem] = useState<Item>(() => readDraft<Item>(draft) ?? initial)
  const [faults, setFaults] = useState<Map<string, string>>(new Map())
  const [round, setRound] = useState(0)
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (round > 0) notice.current?.querySelector<HTMLElement>('[role=alert]')?.focus()
  }, [round])
  return {
    item,
    change: (next: Item) => {
      setItem(next)
      writeDraft(draft, next)
    },
    reportFaults: (next: Map<string, string>) => {
      setFaults(next)
      setRound((n) => n + 1)
    },
    errorAt: (part: string) => faults.get(part),
    faultNotice: faults.size > 0 && (
      <div ref={notice} className="mb-4">
        <Notice tone="danger" focusable title={<Trans>Fix these problems first</Trans>}>
          <ul className="list-disc ps-5">
            {[...new Set(faults.values())].map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      </div>
    ),
  }
}

interface FrameProps {
  title: string
  description: ReactNode
  draft: string
  onDone: () => void
  onClose: () => void
  children: ReactNode
}

const EditorFrame = ({ title, description, draft, onDone, onClose, children }: FrameProps) => (
  <SlideOut
    title={title}
    onClose={onClose}
    actions={
      <>
        <Button variant="primary" onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
        <DiscardButton draft={draft} onClose={onClose} />
      </>
    }
  >
    <Text>{description}</Text>
    <div className="flex flex-col gap-4">{children}</div>
  </SlideOut>
)

/** Temporary name of a field that is not in the definition yet. */
export const NEW = 'new_field'

/** Editor of a field: its text, type, limits and condition. A new field goes to the end of `stepId`. */
export function FieldEditor(props: EditorProps<Field> & { stepId: string }) {
  const { definition, draft, onDone, onClose, stepId } = props
  const { t } = useLingui()
  const { item: field, change, reportFaults, errorAt, faultNotice } = useEdited(props)
  const isNew = props.initial.name === NEW
  const all = allFields(definition)
  const stepAt = definition.steps.findIndex(({ id }) => id === stepId)
  const above = isNew
    ? definition.steps.slice(0, stepAt + 1).flatMap(({ fields }) => fields)
    : all.slice(
        0,
        all.findIndex(({ name }) => name === field.name),
      )
  const title = typeLabels[field.type]

  const done = () => {
    const named = isNew ? { ...field, name: nameFrom(field.label, [...all.map(({ name }) => name), NEW]) } : field
    const next = isNew ? putField(definition, named, stepId, null) : replaceField(definition, named)
    const at = next.steps[stepAt]?.fields.findIndex(({ name }) => name === named.name) ?? -1
    const faults = faultsAt(next, ['steps', stepAt, 'fields', at])
    if (faults.size > 0) return reportFaults(faults)
    dropDraft(draft)
    onDone(next, named)
  }
  const common = { field, onChange: change, fields: above, errorAt }
  return (
    <EditorFrame
      title={isNew ? t`Add a field` : t`Edit field`}
      description={faultNotice}
      draft={draft}
      onClose={onClose}
      onDone={done}
    >
      {isNew ? (
        <Select
          label={t`Type`}
          value={field.type}
          options={(Object.keys(fieldTypes) as FieldType[]).map((type) => ({
            value: type,
            label: t(typeLabels[type]),
          }))}
          onChange={({ target }) => {
            const { label, help, required, showWhen } = field
            change({ ...blankField(target.value as FieldType, NEW), label, help, required, showWhen })
          }}
        />
      ) : (
        <p className="text-muted text-sm">
          <Trans>
            Type: {t(title)}. Internal name: {field.name}
          </Trans>
        </p>
      )}
      <TextField
        label={field.type === 'reading' ? t`Heading` : t`Label`}
        hint={t`Enter the question or heading that people will see.`}
        value={field.label}
        error={errorAt('label') ?? errorAt('name')}
        onChange={({ target }) => change({ ...field, label: target.value })}
      />
      {field.type !== 'reading' && (
        <TextArea
          label={t`Help`}
          optional
          rows={2}
          hint={t`Shown under the label.`}
          value={field.help}
          error={errorAt('help')}
          onChange={({ target }) => change({ ...field, help: target.value })}
        />
      )}
      {field.type !== 'reading' && field.type !== 'computed' && (
        <Checkbox
          label={field.type === 'checkbox' ? <Trans>Must be checked</Trans> : <Trans>Required</Trans>}
          checked={field.required}
          onChange={({ target }) => change({ ...field, required: target.checked })}
        />
      )}
      {/* The inputs of the new type differ, so they start empty. */}
      <TypeSettings key={field.type} {...common} />
      <PrefillSelect {...common} />
      <ConditionEditor
        value={field.showWhen}
        fields={above}
        errorAt={(part) => errorAt(part === undefined ? 'showWhen' : `showWhen.${part}`)}
        onChange={(showWhen) => change({ ...field, showWhen })}
      />
    </EditorFrame>
  )
}

/** Editor of a step: its title, introduction and condition. */
export function StepEditor(props: EditorProps<FormStep>) {
  const { definition, draft, onDone, onClose } = props
  const { t } = useLingui()
  const { item: step, change, reportFaults, errorAt, faultNotice } = useEdited(props)
  const at = definition.steps.findIndex(({ id }) => id === step.id)
  const isNew = at < 0
  const above = definition.steps.slice(0, isNew ? undefined : at).flatMap(({ fields }) => fields)
  const done = () => {
    const next = isNew
      ? { ...definition, steps: [...definition.steps, step] }
      : replaceStep(definition, { ...step, fields: definition.steps[at]?.fields ?? [] })
    const faults = faultsAt(next, ['steps', isNew ? definition.steps.length : at])
    // Ignores mistakes in the step's fields, because they are corrected in the fields' own editor.
    for (const part of faults.keys()) if (part.startsWith('fields')) faults.delete(part)
    if (faults.size > 0) return reportFaults(faults)
    dropDraft(draft)
    onDone(next, step)
  }
  return (
    <EditorFrame
      title={isNew ? t`Add a step` : t`Edit step`}
      description={faultNotice}
      draft={draft}
      onClose={onClose}
      onDone={done}
    >
      <TextField
        label={t`Title`}
        value={step.title}
        error={errorAt('title')}
        onChange={({ target }) => change({ ...step, title: target.value })}
      />
      <TextArea
        label={t`Introduction`}
        optional
        hint={t`Enter information that people need before this step.`}
        value={step.intro}
        error={errorAt('intro')}
        onChange={({ target }) => change({ ...step, intro: target.value })}
      />
      <ConditionEditor
        value={step.showWhen}
        fields={above}
        errorAt={(part) => errorAt(part === undefined ? 'showWhen' : `showWhen.${part}`)}
        onChange={(showWhen) => change({ ...step, showWhen })}
      />
    </EditorFrame>
  )
}
