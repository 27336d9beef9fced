import { Trans } from '@lingui/react/macro'
import { placeName } from '../../../../web/boot.ts'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { keepingMandate } from '../../kept-methods.ts'
import type { Wish } from './wish.ts'

/** Whether what is entered is kept for later payments, with what one agrees to by that. */
export default function KeepIt({ form }: { form: ZodForm<Wish, Wish> }) {
  return (
    <Checkbox
      className="mt-4"
      label={<Trans>Keep it for later payments</Trans>}
      hint={keepingMandate(placeName)}
      {...form.field('keep')}
    />
  )
}
