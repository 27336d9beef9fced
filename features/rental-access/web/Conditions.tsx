import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import type { ConditionsProps } from '../../rentals/web/parts/page-parts.ts'
import { myAgreement } from '../contract-agreements.ts'
import { myCertificate } from '../contract-certificates.ts'
import { Agreement } from './Agreement.tsx'
import { Certificate } from './Certificate.tsx'
import { DoorCode } from './DoorCode.tsx'

/** Agreement, certificate of insurance and door code on the page of a resident's reservation. */
export default function Conditions({ reservationId, texts, children }: ConditionsProps) {
  const insurance = useResponse(myCertificate, { reservationId })
  const agreement = useResponse(myAgreement, { reservationId })
  return (
    <ResponseView response={insurance} shape="lines" {...texts}>
      {(insured) => (
        <ResponseView response={agreement} shape="lines" {...texts}>
          {(signing) =>
            children({
              agreement: (resourceId) => <Agreement {...{ reservationId, resourceId }} of={signing} />,
              certificate: <Certificate reservationId={reservationId} of={insured} />,
              doorCode: <DoorCode reservationId={reservationId} />,
              reload: () => Promise.all([myCertificate, myAgreement].map(reload)),
            })
          }
        </ResponseView>
      )}
    </ResponseView>
  )
}
