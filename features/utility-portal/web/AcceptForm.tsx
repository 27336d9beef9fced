import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { acceptShare, previewShare, returnShares, shareCodeForm } from '../contract.ts'
import { Terms } from './Terms.tsx'

type Offer = ResponseOf<typeof previewShare>

/** Form that finds an offer by its code, shows the shared data and accepts it. */
export function AcceptForm({ onAccepted }: { onAccepted: (shareId: number) => void }) {
  const { t } = useLingui()
  const [offer, setOffer] = useState<Offer>()
  const [busy, setBusy] = useState(false)
  const form = useZodForm(shareCodeForm, { defaultValues: { code: '' } })
  const accept = async () => {
    setBusy(true)
    try {
      const { message, shareId } = await call(acceptShare, { code: form.getValues('code') })
      form.reset()
      await reload(returnShares)
      toast(message)
      onAccepted(shareId)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setBusy(false)
    setOffer(undefined)
  }
  return (
    <Form form={form} onSubmit={async (values) => setOffer(await call(previewShare, values))}>
      <TextField
        label={t`Offer code`}
        hint={t`Enter the code from the email or from the person who made the offer.`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('code')}
      />
      <SubmitButton form={form} busyLabel={<Trans>Searching…</Trans>}>
        <Trans>View offer</Trans>
      </SubmitButton>
      {offer && (
        <ConfirmDialog
          title={
            offer.kind === 'history' ? (
              <Trans>Accept this offer to view the usage history?</Trans>
            ) : (
              <Trans>Accept this offer to view the account status?</Trans>
            )
          }
          confirmLabel={<Trans>Accept offer</Trans>}
          cancelLabel={<Trans>Not now</Trans>}
          busy={busy}
          onConfirm={() => void accept()}
          onClose={() => setOffer(undefined)}
        >
          <p className="font-bold">{offer.address}</p>
          <p>
            <Terms of={offer} />
          </p>
          <p>
            <Trans>Either of you can end sharing at any time. We will record that both of you agreed, and when.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </Form>
  )
}
