import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useSent } from '../../../web/use-sent.ts'
import { useQueryText } from '../../../web/routes.tsx'
import { SendButton } from '../../../web/ui/SendButton.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { type Prefill, prefillIn } from '../rules.ts'
import { Received } from './Received.tsx'
import { RequestForm, type SendRequestResponse, useRequestForm } from './RequestForm.tsx'
import { usePrefill } from './use-prefill.ts'

/** Support form as a page with query parameters (spec 7.7). The parameters take precedence over the person's data. */
export default function SupportScreen() {
  const prefill = usePrefill()
  const queryPrefill = prefillIn(useQueryText())
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Support Request</Trans>}>
          <Trans>
            Is something on this site not working, or do you have a question about it? We will reply by email.
          </Trans>
        </PageHead>
        <Card as="div">
          {prefill ? (
            <Request prefill={{ ...prefill, ...queryPrefill }} />
          ) : (
            <LoadingState shape="lines">
              <Trans>Loading form</Trans>
            </LoadingState>
          )}
        </Card>
      </div>
    </Measure>
  )
}

function Request({ prefill }: { prefill: Partial<Prefill> }) {
  const form = useRequestForm(prefill)
  const [sent, setSent] = useSent('support', form.plainResponse as SendRequestResponse | null)
  const [uploading, setUploading] = useState(false)
  if (sent) return <Received as="h2" sent={sent} />
  return (
    <RequestForm form={form} id="support-request" onSent={setSent} onBusy={setUploading}>
      <SendButton form={form} waits={uploading}>
        <Trans>Submit the request</Trans>
      </SendButton>
    </RequestForm>
  )
}
