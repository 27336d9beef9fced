import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { formatDate } from '../../../../shared/dates.ts'
import { useAct } from '../../../../web/act.ts'
import { useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { documentOfSubmission, printSubmission } from '../../contract-documents.ts'
import { saved, documentStatusLabel } from './labels.ts'

/** Part of the submission's panel: the issued document, with PDFs of the document and the submission. */
export function IssuedByUs({ subjectId }: { subjectId: number }) {
  const { t } = useLingui()
  const { data } = useResponse(documentOfSubmission, { subjectId })
  const { act, busy, refusal } = useAct(async () => {})
  const print = (which: 'copy' | 'issued' | 'filled') => void act(() => saved(printSubmission, { subjectId, which }))
  return (
    <section className="mt-5">
      <h3 className="mb-2 text-base">
        <Trans>Documents</Trans>
      </h3>
      <Refusal>{refusal}</Refusal>
      {data?.issuedDocument && (
        <DetailList
          className="mb-3 text-table"
          details={[
            [data.issuedDocument.title, data.issuedDocument.number],
            [t`Status`, documentStatusLabel(data.issuedDocument.status)],
            [t`Issued on`, formatDate(data.issuedDocument.issuedOn)],
            [
              t`Valid until`,
              data.issuedDocument.expiresOn === null
                ? t`No expiration date`
                : formatDate(data.issuedDocument.expiresOn),
            ],
            [
              t`Verification page`,
              <a key="verify" className="link wrap-anywhere" href={data.verifyUrl} target="_blank" rel="noreferrer">
                {data.verifyUrl}
              </a>,
            ],
          ]}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {data?.issuedDocument && (
          <Button size="small" icon={Download} busy={busy} onClick={() => print('issued')}>
            {data.issuedDocument.title}
          </Button>
        )}
        <Button size="small" icon={Download} busy={busy} onClick={() => print('copy')}>
          <Trans>Download submission (PDF)</Trans>
        </Button>
        {data?.hasPdf && (
          <Button size="small" icon={Download} busy={busy} onClick={() => print('filled')}>
            <Trans>Download completed official form</Trans>
          </Button>
        )}
      </div>
    </section>
  )
}
