import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { viewPremises } from '../../../shared/premises.ts'
import { call, messageOf } from '../../../web/call.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

type SharedRegistrations = ResponseOf<typeof viewPremises>['registrations']

/**
 * Details that people at an address agreed to share. They load only after a click, because the audit log records each
 * access.
 */
export function Occupants({ location }: { location: LocationValue }) {
  const [registrations, setRegistrations] = useState<SharedRegistrations>()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (!may('premise_notes', 'view')) return null
  const loadResidents = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      setRegistrations((await call(viewPremises, { location })).registrations)
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <section aria-live="polite">
      <h3 className="mb-2 text-lg">
        <Trans>Registrations at this address</Trans>
      </h3>
      <Refusal className="mb-3">{refusal}</Refusal>
      {!registrations && (
        <>
          <Button busy={busy} onClick={() => void loadResidents()}>
            <Trans>View shared information</Trans>
          </Button>
          <p className="mt-1 text-muted text-sm">
            <Trans>Each view is logged with your name.</Trans>
          </p>
        </>
      )}
      {registrations?.length === 0 && (
        <p className="text-muted">
          <Trans>No one at this address has shared information.</Trans>
        </p>
      )}
      <ul className="flex flex-col gap-4">
        {registrations?.map((one) => (
          <Shared key={one.id} one={one} />
        ))}
      </ul>
    </section>
  )
}

const Shared = ({ one: { number, kind, name, location, details } }: { one: SharedRegistrations[number] }) => (
  <li className="border-line border-s-2 ps-4">
    <p className="wrap-anywhere font-bold">
      <Code>{name}</Code> <span className="font-normal text-muted">{number}</span>
    </p>
    <p className="wrap-anywhere mb-2 text-muted text-sm">
      <Text>{kind}</Text> · <Text>{location}</Text>
    </p>
    <DetailList details={details.map(({ label, value }) => [label, value] as const)} />
  </li>
)
