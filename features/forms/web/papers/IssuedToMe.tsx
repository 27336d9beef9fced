import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { formatDate } from '../../../../shared/dates.ts'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { go } from '../../../../web/go.ts'
import { useAnswer } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card, Facts } from '../../../../web/ui/Card.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { paperByLink, printByLink, renewPaper } from '../../contract-papers.ts'
import { saved, standingWords } from './words.ts'

/** On the page of a submission: what its approval gave out, and a copy of what was sent. */
export function IssuedToMe({ token, id, sent }: { token: string; id: number; sent: boolean }) {
  const { t } = useLingui()
  const { data } = useAnswer(paperByLink, { token })
  const { act, busy, refusal } = useAct(async () => {})
  const paper = data?.paper
  const renew = () =>
    void act(async () => {
      const { submissionId } = await call(renewPaper, { submissionId: id })
      go(`/forms-documents/fill/${submissionId}`)
      return { message: t`Your answers of last time are filled in.` }
    })
  return (
    <>
      <Refusal>{refusal}</Refusal>
      {paper && (
        <Card as="div">
          <h2 className="mb-3 text-lg">{paper.title}</h2>
          <Facts
            facts={[
              [t`Number`, paper.number],
              [t`Status`, standingWords(paper.standing)],
              [t`Issued on`, formatDate(paper.issuedOn)],
              [t`Valid until`, paper.expiresOn === null ? t`It has no end.` : formatDate(paper.expiresOn)],
            ]}
          />
          <div className="mt-4 flex flex-wrap gap-3">
            <Button
              look="primary"
              icon={Download}
              busy={busy}
              onClick={() => void act(() => saved(printByLink, { token, which: 'issued' }))}
            >
              <Trans>Download it as PDF</Trans>
            </Button>
            {data.canRenew && (
              <Button busy={busy} onClick={renew}>
                <Trans>Renew it</Trans>
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
              <Trans>The town’s form, filled in</Trans>
            </Button>
          )}
          <Button
            icon={Download}
            busy={busy}
            onClick={() => void act(() => saved(printByLink, { token, which: 'copy' }))}
          >
            <Trans>A copy of my form as PDF</Trans>
          </Button>
        </p>
      )}
    </>
  )
}
