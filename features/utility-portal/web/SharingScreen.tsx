import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { endShare, returnShares } from '../contract.ts'
import { shareStates } from '../states.ts'
import { AcceptForm } from './AcceptForm.tsx'
import { OfferForm } from './OfferForm.tsx'
import { Shared } from './Shared.tsx'
import { Terms } from './Terms.tsx'
import { ToAllAccounts } from './ToAllAccounts.tsx'
import { Text } from '../../../web/ui/Text.tsx'

type ReturnSharesResponse = ResponseOf<typeof returnShares>
type Share = ReturnSharesResponse['outgoing'][number]

/**
 * Shares that the resident offers and receives. One person offers a share, the other accepts it, and either can end it.
 */
export default function SharingScreen() {
  const { data, error, refetch } = useResponse(returnShares, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Shared Accounts</Trans>} actions={<ToAllAccounts />}>
        <Trans>Share the usage history for an address, or let a landlord see when an account is past due.</Trans>
      </PageHead>
      {error && !data ? (
        <Failed
          error={error}
          title={<Trans>This information could not be loaded</Trans>}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Parts of={data} />
      ) : (
        <LoadingState shape="block">
          <Trans>Loading the shared information</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}

function Parts({ of: { outgoing, got, accounts } }: { of: ReturnSharesResponse }) {
  const [open, setOpen] = useState<number>()
  const own = !useSession()?.impersonating
  return (
    <div className="grid gap-6">
      {got.length > 0 && (
        <Panel id="got" title={<Trans>Shared with you</Trans>}>
          <ul className="grid gap-5">
            {got.map((share) => (
              <Row
                key={share.id}
                share={share}
                onShow={() => setOpen(share.id === open ? undefined : share.id)}
                isOpen={share.id === open}
              />
            ))}
          </ul>
        </Panel>
      )}
      {open !== undefined && got.some(({ id }) => id === open) && <Shared key={open} shareId={open} />}
      {outgoing.length > 0 && (
        <Panel id="outgoing" title={<Trans>Shared by you</Trans>}>
          <ul className="grid gap-5">
            {outgoing.map((share) => (
              <Row key={share.id} share={share} />
            ))}
          </ul>
        </Panel>
      )}
      {!own && (
        <Notice>
          <Trans>You cannot share while impersonating a resident.</Trans>
        </Notice>
      )}
      {own && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Panel id="accept" title={<Trans>Accept an offer</Trans>}>
            <AcceptForm onAccepted={setOpen} />
          </Panel>
          {accounts.length > 0 && (
            <Panel id="offer" title={<Trans>Offer to share</Trans>}>
              <OfferForm accounts={accounts} />
            </Panel>
          )}
        </div>
      )}
    </div>
  )
}

interface RowProps {
  share: Share
  /** Shows the shared data. Omitted for shares that the resident offers. */
  onShow?: () => void
  isOpen?: boolean
}

function Row({ share, onShow, isOpen }: RowProps) {
  const [asking, setAsking] = useState(false)
  const own = !useSession()?.impersonating
  const { kind, address, state, offeredAt, acceptedAt, toEmail, isTooOld } = share
  const offered = shortDay(offeredAt)
  return (
    <li className="border-line border-b pb-5 last:border-b-0 last:pb-0">
      <h3 className="text-lg wrap-anywhere">
        {kind === 'history' ? <Trans>Usage history: {address}</Trans> : <Trans>Account status: {address}</Trans>}
      </h3>
      <p className="my-1">
        <Terms of={share} />
      </p>
      <p className="text-muted text-sm">
        <StateBadge of={shareStates} state={state} />{' '}
        {acceptedAt ? (
          <Trans>
            Offered {offered}, accepted {shortDay(acceptedAt)}.
          </Trans>
        ) : isTooOld ? (
          <Trans>Offered {offered}. The offer expired after 30 days.</Trans>
        ) : toEmail ? (
          <Trans>
            Offered {offered} to {toEmail}.
          </Trans>
        ) : (
          <Trans>Offered {offered} with a code.</Trans>
        )}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {onShow && (
          <Button variant="primary" aria-expanded={isOpen === true} onClick={onShow}>
            {isOpen ? <Trans>Hide details</Trans> : <Trans>Show details</Trans>}
            <span className="spoken">
              {' '}
              <Text>{address}</Text>
            </span>
          </Button>
        )}
        {own && (
          <Button onClick={() => setAsking(true)}>
            <Trans>End sharing</Trans>
            <span className="spoken">
              {' '}
              <Text>{address}</Text>
            </span>
          </Button>
        )}
      </div>
      {asking && <ConfirmEnd id={share.id} onClose={() => setAsking(false)} />}
    </li>
  )
}

function ConfirmEnd({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    try {
      toast((await call(endShare, { shareId: id })).message)
      await reload(returnShares)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    onClose()
  }
  return (
    <ConfirmDialog
      title={t`End sharing?`}
      confirmLabel={<Trans>End sharing</Trans>}
      cancelLabel={<Trans>Keep sharing</Trans>}
      danger
      busy={busy}
      onConfirm={() => void end()}
      onClose={onClose}
    >
      <Trans>The shared information will be hidden immediately. Sharing again requires a new offer.</Trans>
    </ConfirmDialog>
  )
}
