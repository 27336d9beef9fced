import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf, chargedCents, stepKey } from '../../shared/fields/answers.ts'
import type { Definition, FieldOf, FormStep } from '../../shared/fields/definition.ts'
import { toInputs } from '../../shared/fields/inputs.ts'
import { namesInTerm } from '../../shared/fields/walk.ts'
import { dropDraft, readDraft } from '../drafts.ts'
import { stepOfEntry, useStepHistory } from '../use-step-history.ts'
import { Button } from '../ui/Button.tsx'
import { Form } from '../ui/Form.tsx'
import { messageAt, useZodForm } from '../ui/form.ts'
import { useStepHeading } from '../ui/step-heading.ts'
import { FieldInput } from './FieldInput.tsx'
import { NativeChoice, SurroundingsContext, type Upload } from './surroundings.tsx'
import { rulesOf } from './rules-of.ts'
import { WhatChanged } from './WhatChanged.tsx'
import { Text } from '../ui/Text.tsx'
import { priceRange, rangeText } from '../../shared/fields/prices.ts'

interface FieldStepsProps {
  definition: Definition
  /** Initial values: a draft, earlier answers, or `prefilled`. */
  start: Readonly<Record<string, unknown>>
  /** The company's day. */
  today: string
  upload: Upload
  /** Draft name, under which typed text survives a reload and an expired session. It differs for each version. */
  draft: string
  /** Saves the typed values as a draft on the server, at each change of step and after each pause in typing. */
  onKeep?: (raw: FieldValues) => void
  /** Submits the answers. If this function throws an error, the form shows it. */
  onDone: (answers: Answers) => Promise<void> | void
  /** Label of the last button, for example "Send the application". */
  doneLabel: ReactNode
  /** Content above the last button, from the screen that contains these fields. */
  beforeDone?: ReactNode
  /** Opens the step with this question and focuses the question. */
  openAt?: string
  /** Reports the current cost of the answers, in cents. Null if the answers cost nothing. */
  onCharged?: (cents: number | null) => void
  /**
   * Changes that a newer version of the form made after the draft was started. `onSeen` confirms that the person read
   * them.
   */
  changes?: readonly string[]
  onSeen?: () => void
  /**
   * True if the person opened the first step with a button on the same screen. The step's heading then gets the focus.
   */
  arrived?: boolean
  /** True if the steps are not history entries. */
  isPreview?: boolean
}

/** A form as a resident fills it in: step by step, in one column, with the browser's own inputs. */
export default function FieldSteps(props: FieldStepsProps) {
  const {
    definition,
    start,
    today,
    upload,
    draft,
    onKeep,
    onDone,
    doneLabel,
    beforeDone,
    changes = [],
    onSeen,
    onCharged,
    openAt,
    arrived = false,
    isPreview = false,
  } = props
  const [raw, setRaw] = useState<FieldValues>(() => toInputs(definition, start))
  const [isDraft] = useState(() => readDraft(draft) !== null)
  const form = isPreview ? null : draft
  const [at, setAt] = useState(() => {
    const inputs = toInputs(definition, start)
    const returned = form === null || openAt !== undefined ? undefined : stepOfEntry<number>(form)
    if (returned === undefined) return stepWith(definition, inputs, today, openAt)
    const { steps, invalid } = visibleSteps(definition, { ...inputs, ...readDraft<FieldValues>(draft) }, today)
    return Math.min(returned, invalid < 0 ? steps.length - 1 : invalid)
  })
  // If the person opened a specific question, that question gets the focus instead of the heading.
  const [hasMoved, setMoved] = useState(arrived && openAt === undefined)
  const [complains, setComplains] = useState(false)
  const show = (position: number) => {
    setMoved(true)
    setAt(position)
  }
  const enter = useStepHistory(form, at, show)
  const goTo = (position: number) => {
    enter(position)
    show(position)
  }
  const { steps } = visibleSteps(definition, raw, today)
  const step = steps[Math.min(at, steps.length - 1)]
  if (!step) return null

  const save = (values: FieldValues) => {
    setRaw(values)
    onKeep?.(values)
  }
  const leave = async (values: FieldValues) => {
    save(values)
    const { answers, steps: visible, invalid } = visibleSteps(definition, values, today)
    const { steps: all } = definition
    if (visible.some((one) => all.indexOf(one) > all.indexOf(step))) return goTo(at + 1)
    if (invalid >= 0) {
      setComplains(true)
      return goTo(invalid)
    }
    await onDone(answers)
    dropDraft(draft)
  }
  return (
    <SurroundingsContext value={{ today, upload, LongChoice: NativeChoice, range: rangeText(priceRange(definition)) }}>
      <WhatChanged changes={changes} onSeen={onSeen} />
      {isDraft && at === 0 && (
        <p className="mb-3 text-muted text-sm">
          <Trans>You entered these answers earlier but have not submitted them yet.</Trans>
        </p>
      )}
      <StepForm
        key={step.id}
        definition={definition}
        step={step}
        today={today}
        draft={draft}
        doneLabel={doneLabel}
        beforeDone={beforeDone}
        raw={raw}
        onCharged={onCharged}
        position={[steps.indexOf(step) + 1, steps.length]}
        hasMoved={hasMoved}
        complains={complains}
        openAt={hasMoved ? undefined : openAt}
        onLeave={leave}
        onPause={onKeep}
        onBack={(values) => {
          save(values)
          goTo(at - 1)
        }}
      />
    </SurroundingsContext>
  )
}

/**
 * Returns the answers, the steps that they show, and the index of the first step with an invalid answer. -1 if all
 * answers are valid.
 */
function visibleSteps(definition: Definition, raw: FieldValues, today: string) {
  const { answers, errors, visibleKeys } = answersOf(definition, raw, today)
  const steps = definition.steps.filter(({ id }) => visibleKeys.has(stepKey(id)))
  return { answers, steps, invalid: steps.findIndex((step) => hasError(step, errors)) }
}

/** Returns the index of the visible step with this question, or 0. */
function stepWith(definition: Definition, raw: FieldValues, today: string, name: string | undefined): number {
  const { steps } = visibleSteps(definition, raw, today)
  return Math.max(
    0,
    steps.findIndex(({ fields }) => fields.some((field) => field.name === name)),
  )
}

const hasError = (step: FormStep, errors: Record<string, string>): boolean =>
  step.fields.some(({ name }) => Object.keys(errors).some((path) => path.split('.')[0] === name))

interface StepFormProps extends Pick<
  FieldStepsProps,
  'definition' | 'today' | 'draft' | 'doneLabel' | 'beforeDone' | 'onCharged'
> {
  step: FormStep
  raw: FieldValues
  position: [nth: number, of: number]
  hasMoved: boolean
  openAt: string | undefined
  /** True if the person returned because an answer in this step is invalid. The step then shows its errors. */
  complains: boolean
  onLeave: (values: FieldValues) => Promise<void>
  onBack: (values: FieldValues) => void
  onPause: ((values: FieldValues) => void) | undefined
}

/** Length of a pause in typing, in milliseconds. */
const PAUSE_MS = 1200

/** Reports typed values after a pause. Initial values are not reported. */
function usePauses(values: FieldValues, onPause: ((values: FieldValues) => void) | undefined): void {
  const written = JSON.stringify(values)
  const reported = useRef(written)
  const notify = useRef(onPause)
  useEffect(() => {
    notify.current = onPause
  })
  useEffect(() => {
    if (written === reported.current) return
    const timer = setTimeout(() => {
      reported.current = written
      notify.current?.(JSON.parse(written) as FieldValues)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [written])
}

function StepForm(props: StepFormProps) {
  const {
    definition,
    step,
    today,
    draft,
    doneLabel,
    beforeDone,
    raw,
    position,
    hasMoved,
    complains,
    openAt,
    onLeave,
    onBack,
    onPause,
    onCharged,
  } = props
  const questions = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (openAt === undefined) return
    const question = questions.current?.querySelector(`[data-question="${openAt}"]`)
    question?.querySelector<HTMLElement>('input,select,textarea,button')?.focus()
  }, [openAt])
  const { t } = useLingui()
  const [index, of] = position
  const names = new Set(step.fields.map(({ name }) => name))
  const form = useZodForm<FieldValues, Answers>(rulesOf(definition, today, names), {
    defaultValues: raw,
    draft: { name: draft },
  })
  const values = form.watch()
  usePauses(values, onPause)
  const { answers, visibleKeys } = answersOf(definition, values, today)
  // On a newly opened page, the browser decides which element has the focus.
  const heading = useStepHeading(hasMoved)
  const { trigger } = form
  useEffect(() => void (complains && trigger()), [complains, trigger])
  /** True if the amount cannot be computed yet, because a field that it uses has no answer. */
  const isOpen = ({ name, terms }: FieldOf<'computed'>) =>
    answers[name] === 0 &&
    terms['+'].flatMap(namesInTerm).some((fieldName) => visibleKeys.has(fieldName) && answers[fieldName] === undefined)
  // Until the answers determine an amount, the form shows the price list.
  const charges = chargedCents(definition, answers)
  useEffect(() => onCharged?.(charges > 0 ? charges : null), [charges, onCharged])
  // A condition in this step may add or remove a later step.
  const isLast = definition.steps
    .slice(definition.steps.indexOf(step) + 1)
    .every(({ id }) => !visibleKeys.has(stepKey(id)))
  return (
    <Form form={form} keepDraft draftIsMarked onSubmit={() => onLeave(form.getValues())}>
      <div>
        {of > 1 && (
          <p className="text-muted text-sm">
            <Trans>
              Step {index} of {of}
            </Trans>
          </p>
        )}
        <h2 ref={heading} tabIndex={-1} className={step.title ? '' : 'spoken'}>
          {step.title || t`Questions`}
        </h2>
        {step.intro && <p className="mt-2 max-w-text whitespace-pre-line text-muted">{step.intro}</p>}
      </div>
      <div ref={questions} className="contents">
        {step.fields
          .filter(({ name }) => visibleKeys.has(name))
          .map((field) => (
            <div key={field.name} data-question={field.name} className="flex min-w-0 flex-col gap-2">
              <FieldInput
                field={field}
                value={
                  field.type === 'computed' ? (isOpen(field) ? undefined : answers[field.name]) : values[field.name]
                }
                onChange={(value) => form.choice(field.name).onChange(value)}
                errorAt={(part) =>
                  messageAt(form.formState.errors, part === undefined ? field.name : `${field.name}.${part}`)
                }
              />
            </div>
          ))}
      </div>
      <Text>{isLast && beforeDone}</Text>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
          {isLast ? doneLabel : <Trans>Continue</Trans>}
        </Button>
        {index > 1 && (
          <Button onClick={() => onBack(form.getValues())}>
            <Trans>Back</Trans>
          </Button>
        )}
      </div>
    </Form>
  )
}
