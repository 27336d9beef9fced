import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { plural, say } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { RepeatFields } from '../../../web/ui/RepeatFields.tsx'
import { TimeRangeFields } from '../../../web/ui/TimeRangeFields.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { checkChoice, type rentalRound, type ChoiceForm, choiceForm } from '../contract.ts'

const weekly = (until: string): ChoiceForm['repeats'] => ({ unit: 'week', every: 1, weekdays: [], by: 'day', until })

const typed = z.extend(choiceForm, { resourceId: z.string(), spaceId: z.string() })

interface ChoiceDialogProps {
  of: ResponseOf<typeof rentalRound>
  /** Null for a new choice. */
  choice: ChoiceForm | null
  onClose: () => void
  onTake: (choice: ChoiceForm) => void
}

/** Dialog for one choice: resource, days and hours. The server lists the resulting dates before the choice is added. */
export function ChoiceDialog({ of, choice, onClose, onTake }: ChoiceDialogProps) {
  const { t } = useLingui()
  const [first] = of.resources
  const form = useZodForm(typed, {
    defaultValues: {
      ...{ resourceId: String(choice?.resourceId ?? first?.id ?? ''), spaceId: String(choice?.spaceId ?? '') },
      ...{
        from: choice?.from ?? '18:00',
        until: choice?.until ?? '20:00',
        startsOn: choice?.startsOn ?? of.seasonFrom,
      },
      repeats: choice?.repeats ?? weekly(of.seasonUntil),
    },
  })
  const [resourceId, spaceId] = form.watch(['resourceId', 'spaceId'])
  const resource = of.resources.find(({ id }) => String(id) === resourceId)
  // If the user chose a space of a different resource before, ignores that space.
  const space = resource?.spaces.find(({ id }) => String(id) === spaceId) ?? resource?.spaces[0]
  const take = async (values: z.output<typeof typed>) => {
    const chosen = { ...values, resourceId: Number(values.resourceId), spaceId: space?.id ?? 0 }
    const { dates } = await call(checkChoice, { roundId: of.id, ...chosen })
    const closed = dates.filter(({ mistake }) => mistake !== '').length
    const count = plural(dates.length, 'one date', '# dates')
    toast(
      closed > 0
        ? say`This choice includes ${count}. Dates already closed or reserved: ${closed}.`
        : say`This choice includes ${count}. Dates already closed or reserved: none.`,
    )
    onTake(chosen)
  }
  return (
    <FormDialog
      title={choice ? <Trans>Change choice</Trans> : <Trans>Add a choice</Trans>}
      form={form}
      submit={<Trans>Save choice</Trans>}
      onClose={onClose}
      onSubmit={take}
    >
      <Select
        label={t`Resource`}
        options={of.resources.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('resourceId')}
      />
      {resource && resource.spaces.length > 1 && (
        <Select
          label={t`Space`}
          options={resource.spaces.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('spaceId')}
        />
      )}
      <TimeRangeFields form={form} />
      <RepeatFields form={form} />
    </FormDialog>
  )
}
