import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { type Mark, noLocation, type LocationValue } from '../../../shared/places.ts'
import { translated } from '../../../shared/messages.ts'
import { setQuery } from '../../../web/go.ts'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { CompanyMap } from '../../../web/places/CompanyMap.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Link, QueryLink } from '../../../web/ui/Link.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { atAddress, hydrantMap } from '../contract.ts'
import { Occupants } from './Occupants.tsx'
import { HYDRANTS_PATH, noteLabels } from '../rules.ts'
import { hydrantStates } from '../states.ts'
import { ClassMark } from './badges.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const markKinds = { AA: 'good', A: 'good', B: 'waiting', C: 'bad' } as const

/**
 * Address search for responders on their way. Shows the nearest hydrants, the premise notes and a map of all hydrants.
 */
export function AtAddress() {
  const { t } = useLingui()
  const [address, setAddress] = useState<LocationValue>(noLocation)
  const { data } = useResponse(hydrantMap, {})
  const { lat, lon } = address
  const pin = useMemo(() => (lat === null || lon === null ? null : { lat, lon }), [lat, lon])
  const marks = useMemo(
    () =>
      data?.hydrants.map(({ id, number, service, flowClass, ...at }): Mark => ({
        id,
        ...at,
        label: [number, translated(hydrantStates.labels[service]), flowClass ?? ''].filter(Boolean).join(', '),
        kind: service === 'out_of_service' ? 'bad' : flowClass ? markKinds[flowClass] : 'neutral',
      })) ?? [],
    [data],
  )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <LocationField
          label={t`Incident address`}
          hint={t`Choose an address, or place a pin on the map.`}
          name="location"
          value={address}
          onChange={setAddress}
          error={undefined}
        />
        {(address.addressId !== null || lat !== null) && (
          <>
            <AddressDetails location={address} />
            <Occupants key={address.text} location={address} />
          </>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <CompanyMap
          label={t`Map of hydrants`}
          pin={pin}
          marks={marks}
          onMark={(id) => setQuery({ hydrant: String(id) })}
        />
        <p className="text-muted text-sm">
          <Trans>
            The hydrants on this map are also in the hydrant list. After you choose an address, this page lists the
            nearest ones.{' '}
            <Link className="link" to={HYDRANTS_PATH}>
              Open hydrant list
            </Link>
          </Trans>
        </p>
      </div>
    </div>
  )
}

function AddressDetails({ location }: { location: LocationValue }) {
  const response = useResponse(atAddress, { location })
  return (
    <ResponseView response={response} shape="lines" loading={<Trans>Loading hydrants and notes</Trans>}>
      {({ isLocated, hydrants, notes }) => (
        <>
          {notes && (
            <section>
              <h3 className="mb-2 text-lg">
                <Trans>Premise notes</Trans>
              </h3>
              {notes.length === 0 && (
                <p className="text-muted">
                  <Trans>No premise notes for this location.</Trans>
                </p>
              )}
              <ul className="flex flex-col gap-2">
                {notes.map(({ id, kind, location: where }) => (
                  <li key={id}>
                    <QueryLink className="link" set={{ note: String(id) }}>
                      <Text>{translated(noteLabels[kind])}</Text>: <Text>{where}</Text>
                    </QueryLink>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section>
            <h3 className="mb-2 text-lg">
              <Trans>Nearest hydrants</Trans>
            </h3>
            {hydrants.length === 0 && (
              <p className="text-muted">
                {isLocated ? (
                  <Trans>No hydrants have a location on the map.</Trans>
                ) : (
                  <Trans>The map location of this address is unknown. Choose an address from the list.</Trans>
                )}
              </p>
            )}
            <ol className="flex flex-col">
              {hydrants.map((hydrant) => (
                <li key={hydrant.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b py-2">
                  <QueryLink className="link" set={{ hydrant: String(hydrant.id) }}>
                    {hydrant.number}
                  </QueryLink>
                  <span className="whitespace-nowrap tabular-nums">
                    <Trans>{hydrant.feet.toLocaleString('en-US')} ft</Trans>
                  </span>
                  {hydrant.service === 'out_of_service' ? (
                    <StateBadge of={hydrantStates} state={hydrant.service} />
                  ) : hydrant.flowClass ? (
                    <ClassMark of={hydrant.flowClass} />
                  ) : (
                    <span className="text-muted">
                      <Trans>Never tested</Trans>
                    </span>
                  )}
                  <span className="text-muted text-sm">{hydrant.location}</span>
                </li>
              ))}
            </ol>
          </section>
        </>
      )}
    </ResponseView>
  )
}
