import { Trans } from '@lingui/react/macro'
import { ExternalLink, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { go } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { chooseSecondProvider } from '../../outages/contract.ts'
import { checkProvider, startProviderPage } from '../contract.ts'
import { documentKinds, sentencesOf, whyOf } from '../rules.ts'
import { reloadOnboardings } from './fresh.ts'
import type { Onboarding, OnboardingOwner } from './of.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

/** Status of the onboarding in plain words, the missing information, and the link to the provider's page. */
export function StatusSection({
  of,
  owner,
  isLinkExpired,
}: {
  of: Onboarding
  owner: OnboardingOwner
  isLinkExpired: boolean
}) {
  const { providerName: name, status, mayCharge, isChosen } = of
  const isReady = status === 'ready'
  const titles = {
    not_started: mayCharge ? (
      <Trans>{name} accepts payments, but onboarding for payouts has not started</Trans>
    ) : (
      <Trans>Onboarding with {name} has not started</Trans>
    ),
    in_progress: <Trans>Onboarding with {name} is in progress</Trans>,
    missing: <Trans>Information is missing</Trans>,
    in_review: <Trans>All information was submitted and is under review</Trans>,
    on_hold: <Trans>{name} has put the municipality on hold</Trans>,
    held: <Trans>The platform has put the onboarding on hold</Trans>,
    ready: <Trans>{name} accepts payments and pays them out</Trans>,
  }
  return (
    <>
      {isLinkExpired && (
        <Notice tone="warning" focusable className="mb-4" title={<Trans>The provider’s page expired</Trans>}>
          <Trans>Nothing was lost. Open the page again and continue.</Trans>
        </Notice>
      )}
      <Notice tone={isReady ? 'success' : 'warning'} title={titles[status]}>
        <Missing of={of} />
        {isChosen && !mayCharge && (
          <p className="mt-2">
            <strong>
              <Trans>
                Until onboarding is complete, the municipality cannot accept new payments by card or bank account.
              </Trans>
            </strong>
          </p>
        )}
        {!of.isConnected && (
          <p className="mt-2">
            <Trans>This portal is not connected to {name} yet. The portal operator must set up the connection.</Trans>
          </p>
        )}
      </Notice>
      <ProviderLinks of={of} owner={owner} />
      <Second of={of} owner={owner} />
    </>
  )
}

/**
 * Button that selects this provider for new payments during an outage of the first provider. Payments that have already
 * started stay with their provider.
 */
function Second({ of, owner }: { of: Onboarding; owner: OnboardingOwner }) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const { can, isSecond, providerName: name, provider } = of
  if (!can.second && !isSecond) return null
  const choose = async () => {
    setBusy(true)
    setRefusal('')
    try {
      toast((await call(chooseSecondProvider, { ...owner, provider: isSecond ? null : provider })).message)
      await reloadOnboardings()
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
    setBusy(false)
  }
  return (
    <div className="mt-4">
      <Refusal className="mb-2">{refusal}</Refusal>
      <p className="mb-2">
        {isSecond ? (
          <Trans>
            During an outage of the first provider, {name} takes new payments. Each payment stays with the provider that
            started it.
          </Trans>
        ) : (
          <Trans>{name} can take new payments during an outage of the first provider.</Trans>
        )}
      </p>
      {can.second && (
        <Button busy={busy} onClick={() => void choose()}>
          {isSecond ? <Trans>Remove second provider</Trans> : <Trans>Use as second provider</Trans>}
        </Button>
      )}
    </div>
  )
}

function Missing({ of: { status, missing, missingDocuments, dueAt, why } }: { of: Onboarding }) {
  if (status === 'ready' || status === 'not_started') return null
  const sentences = sentencesOf(missing)
  return (
    <>
      {(status === 'on_hold' || status === 'held' || status === 'in_review') && why !== '' && (
        <p>{translated(whyOf(why))}</p>
      )}
      {sentences.length + missingDocuments.length > 0 && (
        <ul className="mt-1 list-disc ps-5">
          {sentences.map(({ text, code }) => (
            <li key={text + (code ?? '')} className="wrap-anywhere">
              <Text>{translated(text)}</Text>{' '}
              {code !== null && (
                <span className="text-muted">
                  (<Code>{code}</Code>)
                </span>
              )}
            </li>
          ))}
          {missingDocuments.map((kind) => (
            <li key={kind}>
              <Trans>Document: {translated(documentKinds[kind])}.</Trans>
            </li>
          ))}
        </ul>
      )}
      {dueAt !== null && (
        <p className="mt-1">
          <Trans>Due by {formatDate(dueAt.slice(0, 10))}.</Trans>
        </p>
      )}
    </>
  )
}

/** Link to the provider's page, and a button that checks the status. */
function ProviderLinks({ of, owner }: { of: Onboarding; owner: OnboardingOwner }) {
  const [busy, setBusy] = useState<'page' | 'status' | null>(null)
  const [refusal, setRefusal] = useState('')
  const { can, providerName: name, status, checkedAt } = of
  const run = async (what: 'page' | 'status') => {
    setBusy(what)
    setRefusal('')
    try {
      const body = { ...owner, id: of.id }
      if (what === 'page') return go((await call(startProviderPage, body)).url)
      toast((await call(checkProvider, body)).message)
      await reloadOnboardings()
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
    setBusy(null)
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 empty:hidden">
      <Refusal className="w-full">{refusal}</Refusal>
      {can.goOn && (
        <Button
          variant={status === 'ready' || status === 'in_review' ? 'secondary' : 'primary'}
          icon={ExternalLink}
          busy={busy === 'page'}
          busyLabel={<Trans>Opening...</Trans>}
          disabled={busy !== null}
          onClick={() => void run('page')}
        >
          {status === 'not_started' ? <Trans>Start onboarding with {name}</Trans> : <Trans>Open {name}’s page</Trans>}
        </Button>
      )}
      {can.requestStatus && (
        <Button
          icon={RefreshCw}
          busy={busy === 'status'}
          busyLabel={<Trans>Checking...</Trans>}
          disabled={busy !== null}
          onClick={() => void run('status')}
        >
          <Trans>Check status with {name}</Trans>
        </Button>
      )}
      {checkedAt !== null && (
        <span className="text-muted text-sm">
          <Trans>Checked {shortInstant(checkedAt)}</Trans>
        </span>
      )}
    </div>
  )
}
