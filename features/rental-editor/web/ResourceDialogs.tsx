import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { DateField } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addBlackout, addSpace, blackoutForm } from '../../rentals/contract.ts'
import { reloadRentals } from '../../rentals/web/parts/fresh.ts'

/** Dialog that closes a resource for some days. */
export function AddBlackout({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(blackoutForm, { defaultValues: { from: '', until: '', reason: '' } })
  return (
    <FormDialog
      title={<Trans>Add closure</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(addBlackout, { resourceId: id, ...values })).message)
        await reloadRentals()
      }}
    >
      <p>
        <Trans>Existing reservations will not be cancelled. Cancel the ones that can't take place.</Trans>
      </p>
      <DateField label={t`First day`} {...form.field('from')} />
      <DateField label={t`Last day`} {...form.field('until')} />
      <TextField
        label={t`Reason`}
        hint={t`Residents see this reason next to the day.`}
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  )
}

const typedSpace = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60)),
  pricePercent: z.string().check(z.trim(), z.regex(/^(?:100|\d{1,2})$/, 'Enter a whole number from 0 to 100.')),
})
/** Dialog that adds a space to a resource. */
export function AddSpace({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(typedSpace, { defaultValues: { name: '', pricePercent: '50' } })
  return (
    <FormDialog
      title={<Trans>Add space</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, pricePercent }) => {
        toast((await call(addSpace, { resourceId: id, name, pricePercent: Number(pricePercent) })).message)
        await reloadRentals()
      }}
    >
      <p>
        <Trans>
          If one space is reserved, the others stay available. The entire resource is available only if every space is
          available.
        </Trans>
      </p>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <TextField label={t`Percentage of the price`} inputMode="numeric" {...form.field('pricePercent')} />
    </FormDialog>
  )
}
