import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { rentalRound, rentalRounds, withdrawApplication } from '../contract.ts'
import { applicationStates } from '../states.ts'
import { ChoiceList } from './ChoiceList.tsx'

type Round = ResponseOf<typeof rentalRound>
export const refreshRounds = (): Promise<unknown> => Promise.all([reload(rentalRound), reload(rentalRounds)])

/** Resident's own application and its result. */
export function MyApplication({ of, onEdit }: { of: Round; onEdit: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { act, busy, refusal } = useAct(refreshRounds)
  const { own } = of
  if (!own) return null
  const isOpen = of.mistake === '' && own.status === 'submitted'
  return (
    <Card>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-h3">
          <Trans>Your application {own.number}</Trans>
        </h2>
        <StateBadge of={applicationStates} state={own.status} />
      </div>
      {own.reason && <p className="mb-3">{own.reason}</p>}
      {own.group && (
        <p className="mb-3">
          <Trans>Group: {own.group}</Trans>
        </p>
      )}
      <ChoiceList rankedChoices={own.rankedChoices} />
      <Refusal className="mt-4">{refusal}</Refusal>
      <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {isOpen && (
          <>
            <Button onClick={onEdit}>
              <Trans>Change application</Trans>
            </Button>
            <Button onClick={() => setIsConfirming(true)}>
              <Trans>Withdraw application</Trans>
            </Button>
          </>
        )}
        {own.status === 'allocated' && (
          <LinkButton variant="primary" to="/resource-rentals">
            <Trans>View and pay for reservations</Trans>
          </LinkButton>
        )}
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Withdraw application {own.number}?</Trans>}
          confirmLabel={<Trans>Withdraw application</Trans>}
          danger
          busy={busy}
          onClose={() => setIsConfirming(false)}
          onConfirm={() =>
            void act(() => call(withdrawApplication, { roundId: of.id })).then(() => setIsConfirming(false))
          }
        >
          <Trans>
            Your application will be removed from the lottery. You can apply again until the application period ends.
          </Trans>
        </ConfirmDialog>
      )}
    </Card>
  )
}
