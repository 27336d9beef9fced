import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call, messageOf } from '../../../web/call.ts'
import { CaseMessages } from '../../../web/cases/CaseMessages.tsx'
import { go } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../web/routes.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmButton } from '../../../web/ui/ConfirmButton.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { moveByLink, moveCase, payMoveFee, withdrawMove } from '../contract.ts'

export const calls = ({ params: { token = '' } }: ScreenUrl) =>
  [
    [moveByLink, { token }],
    [moveCase.messages, { token }],
  ] as const

/** Screen with the status and actions of a move. The requester opens it with the emailed link. */
export default function MyMoveScreen() {
  const { t } = useLingui()
  const token = useParam('token')
  const { data, error } = useResponse(moveByLink, { token })
  return (
    <CaseMessages
      of={moveCase}
      token={token}
      title={<Trans>Your Move Request</Trans>}
      loading={<Trans>Loading your move request</Trans>}
      failed={<Trans>Could not load your move request</Trans>}
      nextLink={
        <LinkButton className="mt-5" to="/relocate">
          <Trans>Request a move</Trans>
        </LinkButton>
      }
      closed={
        <Notice>
          <Trans>This move request is closed. If you need something else, call the office.</Trans>
        </Notice>
      }
      reopensHint={t`We will read your message and reply by email.`}
      byline={(by) => by}
      beside={data && <Beside token={token} move={data} />}
      waits={!data && !error}
    />
  )
}

function Beside({ token, move }: { token: string; move: ResponseOf<typeof moveByLink> }) {
  const { t } = useLingui()
  const { number, leaves, leavesOn, enters, entersOn, forwarding, ownerName, ownerAnswer, fee, autopay, can } = move
  const { act, busy, refusal } = useAct(() => Promise.all([reload(moveByLink), reload(moveCase.messages)]))
  const [unpaid, setUnpaid] = useState('')
  const [paying, setPaying] = useState(false)
  const pay = async () => {
    setPaying(true)
    try {
      const { token: checkout } = await call(payMoveFee, { token })
      go(`/guest/payment/${checkout}`)
    } catch (error) {
      setUnpaid(messageOf(error))
      setPaying(false)
    }
  }
  const owner = {
    none: '',
    asked: t`${ownerName} has not answered yet`,
    agreed: t`${ownerName} agreed`,
    refused: t`${ownerName} did not agree`,
  }[ownerAnswer]
  const lines: [string, string][] = [
    [t`Moving from`, leaves],
    [t`Move-out date`, leavesOn && formatShortDate(leavesOn)],
    [t`Moving to`, enters],
    [t`Move-in date`, entersOn && formatShortDate(entersOn)],
    [t`New address`, forwarding],
    [t`Owner`, owner],
    [fee?.title ?? '', fee && !fee.canPay ? t`${formatCents(fee.paidCents)} paid` : ''],
  ]
  return (
    <div className="mb-8 flex flex-col gap-5">
      {(refusal || unpaid) && <Notice tone="danger">{refusal || unpaid}</Notice>}
      {fee?.canPay && (
        <Notice tone="warning" title={fee.title}>
          <p className="mb-3">
            <Trans>Pay {formatCents(fee.amountCents - fee.paidCents)} before you move in.</Trans>
          </p>
          <Button variant="primary" busy={paying} onClick={() => void pay()}>
            <Trans>Pay {formatCents(fee.amountCents - fee.paidCents)}</Trans>
          </Button>
        </Notice>
      )}
      <Card as="div">
        <DetailList details={lines.filter(([, value]) => value !== '')} />
        {autopay && <p className="mt-4">{autopay}</p>}
        <ConfirmButton
          call={withdrawMove}
          label={<Trans>Withdraw move request</Trans>}
          title={<Trans>Withdraw form {number}?</Trans>}
          isAllowed={can.withdraw}
          busy={busy}
          onConfirm={() => act(() => call(withdrawMove, { token }))}
        >
          <Trans>We will not process this move request. Your accounts and services will stay the same.</Trans>
        </ConfirmButton>
      </Card>
    </div>
  )
}
