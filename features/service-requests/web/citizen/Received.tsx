import { Trans } from '@lingui/react/macro'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import type { SendRequestResponse } from './steps.ts'
import { useStepHeading } from '../../../../web/ui/step-heading.ts'

/** Confirmation with the request number and a link to the page of the request. */
export function Received({ sent, onAnother }: { sent: SendRequestResponse; onAnother: () => void }) {
  const heading = useStepHeading()
  return (
    <Card as="div">
      <h2 ref={heading} tabIndex={-1} className="mb-3 text-h3">
        <Trans>Request {sent.number} was received</Trans>
      </h2>
      <p>{sent.message}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <LinkButton to={`/communication/request/${sent.token}`} variant="primary">
          <Trans>View your request</Trans>
        </LinkButton>
        <Button onClick={onAnother}>
          <Trans>Report another problem</Trans>
        </Button>
      </div>
    </Card>
  )
}
