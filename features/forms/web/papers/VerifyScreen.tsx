import { Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '../../../../shared/dates.ts'
import { useAnswer } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { type IssuedDocument, verifyIssuedDocument } from '../../contract-papers.ts'

/** Public page behind the QR code of a license or permit. */
export default function VerifyScreen() {
  const { t } = useLingui()
  const answer = useAnswer(verifyIssuedDocument, { code: useParam('code') })
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Verify a License or Permit</Trans>} />
        <Answered answer={answer} loading={<Trans>Looking it up</Trans>} shape="lines">
          {({ issuedDocument, today }) => (
            <>
              <VerificationResult issuedDocument={issuedDocument} today={today} />
              <Card as="div" className="mt-6">
                <DetailList
                  details={[
                    [t`What it is`, issuedDocument.title],
                    [t`Number`, issuedDocument.number],
                    [t`Issued to`, issuedDocument.holder],
                    [t`Issued on`, formatDate(issuedDocument.issuedOn)],
                    [
                      t`Valid until`,
                      issuedDocument.expiresOn === null ? t`It has no end.` : formatDate(issuedDocument.expiresOn),
                    ],
                  ]}
                />
              </Card>
            </>
          )}
        </Answered>
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
        <Trans>It is genuine, and it holds today, {formatDate(today)}.</Trans>
      </Notice>
    )
  if (status === 'revoked')
    return (
      <Notice tone="danger" title={<Trans>Revoked</Trans>}>
        <Trans>It was issued and later revoked. It does not hold any more.</Trans>
      </Notice>
    )
  return (
    <Notice tone="warning" title={<Trans>Expired</Trans>}>
      {expiresOn ? (
        <Trans>It is genuine, and it held until {formatDate(expiresOn)}.</Trans>
      ) : (
        <Trans>It is genuine, and it does not hold any more.</Trans>
      )}
    </Notice>
  )
}
