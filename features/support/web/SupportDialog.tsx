import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { page } from '../../../web/page.ts'
import { currentSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { CloseAction, Dialog } from '../../../web/ui/Dialog.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { type Prefill, prefilledUrl } from '../rules.ts'
import { Received } from './Received.tsx'
import { RequestForm, type SendRequestResponse, useRequestForm } from './RequestForm.tsx'
import { usePrefill } from './use-prefill.ts'

interface Props {
  onClose: () => void
}

/** Dialog 'Enter a Support Request' (spec 2.7) with the portal's form, or a link to a configured external form. */
export default function SupportDialog({ onClose }: Props) {
  const { t } = useLingui()
  const prefill = usePrefill()
  const { formUrl } = page().support
  if (prefill && !formUrl) return <OurForm prefill={prefill} onClose={onClose} />
  return (
    <Dialog title={t`Support Request`} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      {prefill && formUrl ? (
        <ForeignForm form={formUrl} prefill={prefill} />
      ) : (
        <LoadingState shape="lines">
          <Trans>Loading form</Trans>
        </LoadingState>
      )}
    </Dialog>
  )
}

function OurForm({ prefill, onClose }: Props & { prefill: Partial<Prefill> }) {
  const { t } = useLingui()
  const id = useId()
  const form = useRequestForm(prefill)
  const [sent, setSent] = useState<SendRequestResponse | null>(null)
  const [uploading, setUploading] = useState(false)
  const busy = form.formState.isSubmitting
  return (
    <Dialog
      title={t`Support Request`}
      onClose={onClose}
      locked={busy}
      actions={
        sent ? (
          <Button variant="primary" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        ) : (
          <>
            <Button
              type="submit"
              form={id}
              variant="primary"
              busy={busy}
              busyLabel={<Trans>Sending...</Trans>}
              disabled={uploading}
            >
              <Trans>Submit the request</Trans>
            </Button>
            <Button onClick={onClose} disabled={busy}>
              <Trans>Cancel</Trans>
            </Button>
          </>
        )
      }
    >
      {sent ? (
        <Received as="h3" sent={sent} />
      ) : (
        <RequestForm form={form} id={id} onSent={setSent} onBusy={setUploading} />
      )}
    </Dialog>
  )
}

/** Link to the external form, with the query parameters (spec 7.7). */
function ForeignForm({ form, prefill }: { form: string; prefill: Partial<Prefill> }) {
  const { t } = useLingui()
  return (
    <iframe
      title={t`Support request form`}
      src={prefilledUrl(form, { ...prefill, company: page().siteName, userId: currentSession()?.userId ?? '' })}
      className="h-[60vh] w-full border-0"
    />
  )
}
