import { Trans } from '@lingui/react/macro'
import { CircleCheck } from 'lucide-react'
import type { SendRequestResponse } from './RequestForm.tsx'
import { useStepHeading } from '../../../web/ui/step-heading.ts'

/** Confirmation with the request number and the reply channel. Screen readers announce it. */
export function Received({ sent, as: Heading }: { sent: SendRequestResponse; as: 'h2' | 'h3' }) {
  const heading = useStepHeading()
  return (
    <div className="flex items-start gap-3">
      <CircleCheck size={24} aria-hidden className="mt-1 shrink-0 text-success" />
      <div className="min-w-0">
        <Heading ref={heading} tabIndex={-1} className="text-h3">
          <Trans>Thank you</Trans>
        </Heading>
        <p className="mt-2 wrap-anywhere">{sent.message}</p>
      </div>
    </div>
  )
}
