import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { line } from '../../../shared/body-parts.ts'
import { call } from '../../../web/call.ts'
import { Button, IconButton } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import { reservationForm } from '../../rentals/contract.ts'
import { applyForSeason, type rentalRound, type ChoiceForm } from '../contract.ts'
import { refreshRounds } from './MyApplication.tsx'
import { choiceText } from './choice-text.ts'
import { ChoiceDialog } from './ChoiceDialog.tsx'
import { Text } from '../../../web/ui/Text.tsx'

type Round = ResponseOf<typeof rentalRound>
const typed = z.extend(reservationForm, { club: line(80) })

/**
 * Manages the ranked choices of the application. `missing` is true if the applicant tried to submit without a choice.
 */
function useChoices(saved: readonly ChoiceForm[]) {
  const [choices, setChoices] = useState(saved)
  const [missing, setMissing] = useState(false)
  const put = (at: number, choice: ChoiceForm) => {
    setMissing(false)
    setChoices(at === choices.length ? [...choices, choice] : choices.with(at, choice))
  }
  const swap = (at: number, to: number) => {
    const [one, other] = [choices[at], choices[to]]
    if (one && other) setChoices(choices.with(at, other).with(to, one))
  }
  return { choices, setChoices, put, swap, missing, setMissing }
}

/** Form that submits or changes an application to an allocation round, with ranked choices. */
export function ApplyForm({ of, onDone }: { of: Round; onDone: () => void }) {
  const { t } = useLingui()
  const { own } = of
  const { choices, setChoices, put, swap, missing, setMissing } = useChoices(own?.rankedChoices ?? [])
  /**
   * Index of the choice that the dialog edits. For a new choice, the number of choices. Null if the dialog is closed.
   */
  const [edits, setEdits] = useState<number | null>(null)
  const form = useZodForm(typed, {
    defaultValues: {
      ...{ club: own?.club ?? '', purpose: own?.purpose ?? '', guests: own?.guests ?? 0 },
      ...{ phone: own?.phone ?? of.phone, agrees: false },
    },
  })
  const submit = async (values: z.output<typeof typed>) => {
    if (choices.length === 0) return setMissing(true)
    const sent = choices.map(({ resourceId, spaceId, repeats, startsOn, from, until }) => ({
      ...{ resourceId, spaceId, repeats, startsOn, from, until },
    }))
    toast((await call(applyForSeason, { roundId: of.id, ...values, rankedChoices: sent })).message)
    await refreshRounds()
    onDone()
  }
  return (
    <Card>
      <h2 className="mb-3 text-h3">
        {own?.status === 'submitted' ? <Trans>Change application</Trans> : <Trans>Apply</Trans>}
      </h2>
      <Form form={form} onSubmit={submit}>
        <TextField label={t`Team or club`} optional autoComplete="organization" {...form.field('club')} />
        <TextField label={t`Purpose`} autoComplete="off" {...form.field('purpose')} />
        <div className="grid gap-4 md:grid-cols-2">
          <TextField label={t`Group size`} {...wholeNumber(form.choice('guests'))} />
          <PhoneField optional {...form.field('phone')} />
        </div>
        <section aria-labelledby="rankedChoices">
          <h3 id="rankedChoices" className="text-lg">
            <Trans>Your choices, most important first</Trans>
          </h3>
          <p className="text-muted">
            <Trans>In each turn of the lottery, you get your highest-ranked choice that is still available.</Trans>
          </p>
          <ol className="mt-2 border-line border-t empty:hidden">
            {choices.map((choice, n) => (
              <ChoiceRow
                key={n}
                of={choice}
                nth={n + 1}
                name={nameOf(of, choice)}
                onUp={n > 0 ? () => swap(n, n - 1) : undefined}
                onDown={n < choices.length - 1 ? () => swap(n, n + 1) : undefined}
                onEdit={() => setEdits(n)}
                onRemove={() => setChoices(choices.filter((_, at) => at !== n))}
              />
            ))}
          </ol>
          {missing && (
            <p role="alert" className="mt-2 text-danger">
              <Trans>Add at least one choice.</Trans>
            </p>
          )}
          {choices.length < of.maxChoices && (
            <Button className="mt-3" icon={Plus} onClick={() => setEdits(choices.length)}>
              <Trans>Add a choice</Trans>
            </Button>
          )}
        </section>
        <Checkbox
          label={t`I agree to the rules and agreements for the resources that are allocated to me, and to the cancellation terms.`}
          {...form.field('agrees')}
        />
        <ApplyButtons isChange={own?.status === 'submitted'} busy={form.formState.isSubmitting} onBack={onDone} />
      </Form>
      {edits !== null && (
        <ChoiceDialog
          of={of}
          choice={choices[edits] ?? null}
          onClose={() => setEdits(null)}
          onTake={(choice) => put(edits, choice)}
        />
      )}
    </Card>
  )
}

/**
 * Buttons below the form. If the form changes an application, a second button returns to the application without
 * saving.
 */
function ApplyButtons({ isChange, busy, onBack }: { isChange: boolean; busy: boolean; onBack: () => void }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>}>
        {isChange ? <Trans>Save changes</Trans> : <Trans>Apply</Trans>}
      </Button>
      {isChange && (
        <Button onClick={onBack}>
          <Trans>Go back</Trans>
        </Button>
      )}
    </div>
  )
}

function nameOf({ resources }: Round, { resourceId, spaceId }: ChoiceForm): string {
  const resource = resources.find(({ id }) => id === resourceId)
  const space = resource?.spaces.find(({ id }) => id === spaceId)
  return space?.name ? `${resource?.name}, ${space.name}` : (resource?.name ?? '')
}

interface RowProps {
  of: ChoiceForm
  nth: number
  name: string
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onEdit: () => void
  onRemove: () => void
}

function ChoiceRow({ of, nth, name, onUp, onDown, onEdit, onRemove }: RowProps) {
  const { t } = useLingui()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-bold">
          <Text>{nth}</Text>. <Text>{name}</Text>
        </p>
        <p>{choiceText(of).when}</p>
        <p className="text-muted">{choiceText(of).days}</p>
      </div>
      <div className="flex">
        <IconButton icon={ArrowUp} label={t`Move choice ${nth} up`} disabled={!onUp} onClick={onUp} />
        <IconButton icon={ArrowDown} label={t`Move choice ${nth} down`} disabled={!onDown} onClick={onDown} />
        <IconButton icon={Pencil} label={t`Change choice ${nth}`} onClick={onEdit} />
        <IconButton icon={Trash2} label={t`Remove choice ${nth}`} onClick={onRemove} />
      </div>
    </li>
  )
}
