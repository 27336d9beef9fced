import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Mail } from 'lucide-react'
import { formatDate } from '../../../../shared/dates.ts'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { go } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { emailFormCopy, issuedDocumentByLink, printByLink, renewIssuedDocument } from '../../contract-documents.ts'
import { saved, documentStatusLabel } from './labels.ts'

/** Part of the submission's page: the issued document, and a copy of the answers. */
export function IssuedToMe({ token, id, sent }: { token: string; id: number; sent: boolean }) {
  const { t } = useLingui()
  const { data } = useResponse(issuedDocumentByLink, { token })
  const { act, busy, refusal } = useAct(async () => {})
  const issued = data?.issuedDocument
  const startRenewal = () =>
    void act(async () => {
      const { submissionId } = await call(renewIssuedDocument, { submissionId: id })
      go(`/forms-documents/fill/${submissionId}`)
      return { message: t`Your previous answers have been filled in.` }
    })
  return (
    <>
      <Refusal>{refusal}</Refusal>
      {issued && (
        <Card as="div">
          <h2 className="mb-3 text-lg">{issued.title}</h2>
          <DetailList
            details={[
              [t`Number`, issued.number],
              [t`Status`, documentStatusLabel(issued.status)],
              [t`Issued on`, formatDate(issued.issuedOn)],
              [t`Valid until`, issued.expiresOn === null ? t`No expiration date` : formatDate(issued.expiresOn)],
            ]}
          />
          <div className="mt-4 flex flex-wrap gap-3">
            <Button
              variant="primary"
              icon={Download}
              busy={busy}
              onClick={() => void act(() => saved(printByLink, { token, which: 'issued' }))}
            >
              <Trans>Download as PDF</Trans>
            </Button>
            {data.canRenew && (
              <Button busy={busy} onClick={startRenewal}>
                <Trans>Renew</Trans>
              </Button>
            )}
          </div>
        </Card>
      )}
      {sent && (
        <p className="flex flex-wrap gap-3">
          {data?.hasPdf && (
            <Button
              icon={Download}
              busy={busy}
              onClick={() => void act(() => saved(printByLink, { token, which: 'filled' }))}
            >
              <Trans>Download completed official form</Trans>
            </Button>
          )}
          <Button
            icon={Download}
            busy={busy}
            onClick={() => void act(() => saved(printByLink, { token, which: 'copy' }))}
          >
            <Trans>Download a copy of my form (PDF)</Trans>
          </Button>
          <Button icon={Mail} busy={busy} onClick={() => void act(() => call(emailFormCopy, { token }))}>
            <Trans>Email me a copy</Trans>
          </Button>
        </p>
      )}
    </>
  )
}
