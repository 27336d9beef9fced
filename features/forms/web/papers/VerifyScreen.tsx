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
          {({ paper, today }) => (
            <>
              <VerificationResult paper={paper} today={today} />
              <Card as="div" className="mt-6">
                <DetailList
                  facts={[
                    [t`What it is`, paper.title],
                    [t`Number`, paper.number],
                    [t`Issued to`, paper.holder],
                    [t`Issued on`, formatDate(paper.issuedOn)],
                    [t`Valid until`, paper.expiresOn === null ? t`It has no end.` : formatDate(paper.expiresOn)],
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

function VerificationResult({ paper: { standing, expiresOn }, today }: { paper: IssuedDocument; today: string }) {
  if (standing === 'valid')
    return (
      <Notice tone="success" title={<Trans>Valid</Trans>}>
        <Trans>It is genuine, and it holds today, {formatDate(today)}.</Trans>
      </Notice>
    )
  if (standing === 'revoked')
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
