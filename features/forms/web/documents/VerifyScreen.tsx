import { Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '../../../../shared/dates.ts'
import { useResponse } from '../../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../../web/routes.tsx'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { type IssuedDocument, verifyIssuedDocument } from '../../contract-documents.ts'

export const calls = ({ params: { code = '' } }: ScreenUrl) => [[verifyIssuedDocument, { code }] as const]

/** Public page behind the QR code of a license or permit. */
export default function VerifyScreen() {
  const { t } = useLingui()
  const response = useResponse(verifyIssuedDocument, { code: useParam('code') })
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Verify a License or Permit</Trans>} />
        <ResponseView response={response} loading={<Trans>Checking the document</Trans>} shape="lines">
          {({ issuedDocument, today }) => (
            <>
              <VerificationResult issuedDocument={issuedDocument} today={today} />
              <Card as="div" className="mt-6">
                <DetailList
                  details={[
                    [t`Description`, issuedDocument.title],
                    [t`Number`, issuedDocument.number],
                    [t`Issued to`, issuedDocument.holder],
                    [t`Issued on`, formatDate(issuedDocument.issuedOn)],
                    [
                      t`Valid until`,
                      issuedDocument.expiresOn === null ? t`No expiration date` : formatDate(issuedDocument.expiresOn),
                    ],
                  ]}
                />
              </Card>
            </>
          )}
        </ResponseView>
      </div>
    </Measure>
  )
}

function VerificationResult({
  issuedDocument: { status, expiresOn },
  today,
}: {
  issuedDocument: IssuedDocument
  today: string
}) {
  if (status === 'valid')
    return (
      <Notice tone="success" title={<Trans>Valid</Trans>}>
        <Trans>This document is genuine and valid today, {formatDate(today)}.</Trans>
      </Notice>
    )
  if (status === 'revoked')
    return (
      <Notice tone="danger" title={<Trans>Revoked</Trans>}>
        <Trans>This document was issued and later revoked. It is no longer valid.</Trans>
      </Notice>
    )
  return (
    <Notice tone="warning" title={<Trans>Expired</Trans>}>
      {expiresOn ? (
        <Trans>This document is genuine. It was valid until {formatDate(expiresOn)}.</Trans>
      ) : (
        <Trans>This document is genuine, but it is no longer valid.</Trans>
      )}
    </Notice>
  )
}
