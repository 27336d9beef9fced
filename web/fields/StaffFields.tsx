import { type ReactNode, useMemo } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf, stepKey } from '../../shared/fields/answers.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { toInputs } from '../../shared/fields/inputs.ts'
import { cx } from '../ui/cx.ts'
import { DetailList } from '../ui/Card.tsx'
import { Form } from '../ui/Form.tsx'
import { messageAt, useZodForm } from '../ui/form.ts'
import { SelectWithSearch } from '../ui/office/SelectWithSearch.tsx'
import { answerDetails } from './answer-facts.tsx'
import { FieldInput } from './FieldInput.tsx'
import { type LongChoiceProps, SurroundingsContext, type Upload } from './surroundings.tsx'
import { rulesOf } from './rules-of.ts'
import { Text } from '../ui/Text.tsx'

interface StaffFieldsProps {
  definition: Definition
  start: Readonly<Record<string, unknown>>
  today: string
  upload: Upload
  draft: string
  onDone: (answers: Answers) => Promise<void> | void
  /** Id of the form, for buttons outside the form. */
  id: string
  children?: ReactNode
}

const SearchChoice = ({ value, ...rest }: LongChoiceProps) => <SelectWithSearch {...rest} value={value || null} />

/** Surroundings of fields in a form of staff. */
export const staffSurroundings = (today: string, upload: Upload) => ({ today, upload, LongChoice: SearchChoice })

/** Field types that span both columns. */
const WIDE = new Set(['table', 'address', 'reading', 'signature', 'file'])

/** A form that staff fill in for a person: all fields on one page, in two columns. */
export function StaffFields({ definition, start, today, upload, draft, onDone, id, children }: StaffFieldsProps) {
  const form = useZodForm<FieldValues, Answers>(rulesOf(definition, today), {
    defaultValues: useMemo(() => toInputs(definition, start), [definition, start]),
    draft: { name: draft },
  })
  return (
    <Form form={form} id={id} onSubmit={onDone}>
      <FieldGrid
        {...{ definition, today, upload }}
        values={form.watch()}
        errors={form.formState.errors}
        onChange={(name, value) => form.choice(name).onChange(value)}
      />
      <Text>{children}</Text>
    </Form>
  )
}

interface FieldGridProps extends Pick<StaffFieldsProps, 'definition' | 'today' | 'upload'> {
  /** Inputs by field name, and their errors. */
  values: Readonly<Record<string, unknown>>
  errors: unknown
  onChange: (name: string, value: unknown) => void
}

/** The visible fields of a definition in two columns, for a form that also has other fields. */
export function FieldGrid({ definition, today, upload, values, errors, onChange }: FieldGridProps) {
  const { answers, visibleKeys } = answersOf(definition, values, today)
  return (
    <SurroundingsContext value={staffSurroundings(today, upload)}>
      {definition.steps
        .filter((step) => visibleKeys.has(stepKey(step.id)))
        .map((step) => (
          <div key={step.id}>
            {step.title && <h3 className="mb-3">{step.title}</h3>}
            <div className="grid gap-4 md:grid-cols-2">
              {step.fields
                .filter(({ name }) => visibleKeys.has(name))
                .map((field) => (
                  <div key={field.name} className={cx('min-w-0', WIDE.has(field.type) && 'md:col-span-2')}>
                    <FieldInput
                      field={field}
                      value={field.type === 'computed' ? answers[field.name] : values[field.name]}
                      onChange={(value) => onChange(field.name, value)}
                      errorAt={(part) => messageAt(errors, part === undefined ? field.name : `${field.name}.${part}`)}
                    />
                  </div>
                ))}
            </div>
          </div>
        ))}
    </SurroundingsContext>
  )
}

/** Read-only answers, with the questions of the form version that they belong to. */
export function AnswerSheet({
  definition,
  answers,
  today,
}: {
  definition: Definition
  answers: Answers
  today: string
}) {
  const { visibleKeys } = answersOf(definition, answers, today)
  return (
    <div className="flex flex-col gap-5">
      {definition.steps
        .filter((step) => visibleKeys.has(stepKey(step.id)))
        .map((step) => (
          <div key={step.id}>
            {step.title && <h3 className="mb-2 text-base">{step.title}</h3>}
            <DetailList
              details={answerDetails(step, visibleKeys, answers).map(({ label, value }) => [label, value] as const)}
            />
          </div>
        ))}
    </div>
  )
}
