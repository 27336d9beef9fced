import { Trans, useLingui } from '@lingui/react/macro'
import { Check, X } from 'lucide-react'
import { useMemo } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { answersOf } from '../../../shared/fields/answers.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { toInputs } from '../../../shared/fields/inputs.ts'
import { FieldInput } from '../../../web/fields/FieldInput.tsx'
import { staffSurroundings } from '../../../web/fields/StaffFields.tsx'
import { rulesOf } from '../../../web/fields/rules-of.ts'
import { SurroundingsContext } from '../../../web/fields/surroundings.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { messageAt, useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import type { passItem } from '../contract.ts'
import type { ItemDetails } from './fresh.ts'

/** Answers that staff entered in the row of an item. Empty if the row has no fields. */
export type RowAnswers = Pick<RequestInputOf<typeof passItem>, 'answers' | 'basis'>

export interface RowForm {
  form: ZodForm<FieldValues, Answers>
  definition: Definition
  /** Names of the number fields. The other fields are in the form of the item. */
  names: ReadonlySet<string>
  toSend: (answers: Answers) => RowAnswers
}

/** Form for the numbers of an item. Staff enter them in its row. */
export function useRowForm(item: ItemDetails, today: string, draft: string): RowForm {
  const { step, answers, note } = item
  const definition = useMemo(() => ({ steps: [{ ...step, title: '' }] }), [step])
  const names = new Set(step.fields.filter(({ type }) => type === 'number').map(({ name }) => name))
  const form = useZodForm<FieldValues, Answers>(rulesOf(definition, today, names), {
    defaultValues: toInputs(definition, answers),
    basis: answers,
    toFormValues: (stored) => toInputs(definition, stored),
    draft: { name: draft },
  })
  const toSend = (sent: Answers): RowAnswers =>
    names.size === 0 ? {} : { answers: { ...sent }, basis: { answers: form.basis ?? answers, note } }
  return { form, definition, names, toSend }
}

interface DecisionProps {
  title: string
  row: RowForm
  today: string
  /** True if an answer outside the row is missing. */
  disabled?: boolean
  /** Size of the buttons: small in the office, large for fingers in the field. */
  large?: boolean
  onPass: (answers: RowAnswers) => Promise<void>
  /** Opens the form with the reason. */
  onFail: (answers: RowAnswers) => void
}

/** Number fields of an item, with a button for each decision. */
export function Decision({ title, row, today, disabled = false, large = false, onPass, onFail }: DecisionProps) {
  const { t } = useLingui()
  const { form, definition, names, toSend } = row
  const values = form.watch()
  const { visibleKeys } = answersOf(definition, values, today)
  const fields = definition.steps.flatMap((step) => step.fields).filter(({ name }) => names.has(name))
  const size = large ? { className: 'min-h-12' } : { size: 'small' as const }
  return (
    <SurroundingsContext value={staffSurroundings(today, noFiles)}>
      <Form form={form} draftIsMarked onSubmit={(answers) => onPass(toSend(answers))}>
        {fields.some(({ name }) => visibleKeys.has(name)) && (
          <div className="grid max-w-text gap-3 sm:grid-cols-2">
            {fields
              .filter(({ name }) => visibleKeys.has(name))
              .map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  value={values[field.name]}
                  onChange={(value) => form.choice(field.name).onChange(value)}
                  errorAt={() => messageAt(form.formState.errors, field.name)}
                />
              ))}
          </div>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" icon={Check} aria-label={t`Pass ${title}`} disabled={disabled} {...size}>
            <Trans>Pass</Trans>
          </Button>
          <Button
            icon={X}
            aria-label={t`Fail ${title}`}
            disabled={disabled}
            onClick={() => void form.handleSubmit((answers) => onFail(toSend(answers)))()}
            {...size}
          >
            <Trans>Fail</Trans>
          </Button>
        </div>
      </Form>
    </SurroundingsContext>
  )
}

/** Number fields have no files. */
const noFiles = () => Promise.reject(new Error('a number has no file'))
