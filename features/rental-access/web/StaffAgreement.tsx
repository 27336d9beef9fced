import { Trans } from '@lingui/react/macro'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { StaffFields } from '../../../web/fields/StaffFields.tsx'
import { uploadNothing } from '../../../web/fields/surroundings.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { staffAgreement, sendSignLink, signForRental } from '../contract-agreements.ts'
import { SignedSheet } from './Agreement.tsx'
import { reloadRentals } from './fresh.ts'

type Details = ResponseOf<typeof staffAgreement>

/** Agreement of a reservation, signed or still missing, for staff. Renders nothing if the resource has no agreement. */
export function StaffAgreement({ reservationId }: { reservationId: number }) {
  const response = useResponse(staffAgreement, { reservationId })
  return (
    <ResponseView response={response} shape="lines" loading={<Trans>Loading the agreement</Trans>}>
      {(data) =>
        data.signed || data.questions ? (
          <section className="my-6">
            <h3 className="mb-2 text-base">
              <Trans>Questions and agreement</Trans>
            </h3>
            {data.signed ? <SignedSheet of={data.signed} /> : <Unsigned reservationId={reservationId} of={data} />}
          </section>
        ) : null
      }
    </ResponseView>
  )
}

function Unsigned({ reservationId, of: { questions, can } }: { reservationId: number; of: Details }) {
  const [isAnswering, setIsAnswering] = useState(false)
  const { act, busy, refusal } = useAct(reloadRentals)
  if (!questions) return null
  const form = `sign-${reservationId}`
  return (
    <>
      <Notice className="mb-3" tone="warning" title={<Trans>The agreement is not signed yet</Trans>}>
        <Trans>Without a signed agreement, the renter can't check in or get a door code.</Trans>
      </Notice>
      <Refusal>{refusal}</Refusal>
      {isAnswering ? (
        <StaffFields
          {...{ definition: questions.definition, start: questions.start, today: questions.today }}
          id={form}
          upload={uploadNothing}
          draft={`${form}-${questions.version}`}
          onDone={async (input) => {
            const body = { reservationId, version: questions.version, answers: { ...input } }
            toast((await call(signForRental, body)).message)
            await reloadRentals()
          }}
        >
          <p className="text-muted text-sm">
            <Trans>
              Enter the answers that the renter gave you or wrote on a signed form. We will record that you answered for
              the renter. You can't change the answers later.
            </Trans>
          </p>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary">
              <Trans>Save answers</Trans>
            </Button>
            <Button onClick={() => setIsAnswering(false)}>
              <Trans>Go back</Trans>
            </Button>
          </div>
        </StaffFields>
      ) : (
        <div className="flex flex-wrap gap-3">
          {can.answer && (
            <Button size="small" onClick={() => setIsAnswering(true)}>
              <Trans>Answer for the renter</Trans>
            </Button>
          )}
          {can.send && (
            <Button
              size="small"
              icon={Mail}
              busy={busy}
              onClick={() => void act(() => call(sendSignLink, { reservationId }))}
            >
              <Trans>Email signing link</Trans>
            </Button>
          )}
        </div>
      )}
    </>
  )
}
