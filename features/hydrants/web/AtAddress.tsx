import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { type Mark, noPlace, type PlaceValue } from '../../../shared/places.ts'
import { translated } from '../../../shared/words.ts'
import { setQuery } from '../../../web/go.ts'
import { PlaceField } from '../../../web/places/PlaceField.tsx'
import { TownMap } from '../../../web/places/TownMap.tsx'
import { useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Link, QueryLink } from '../../../web/ui/Link.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { atAddress, hydrantMap } from '../contract.ts'
import { WhoLivesThere } from './WhoLivesThere.tsx'
import { HYDRANTS_PATH, noteLabels } from '../rules.ts'
import { hydrantStates } from '../states.ts'
import { ClassMark } from './badges.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const markKinds = { AA: 'good', A: 'good', B: 'waiting', C: 'bad' } as const

/** What responders ask on their way: the nearest hydrants, and what is known of the place. Beside it all hydrants on the map. */
export function AtAddress() {
  const { t } = useLingui()
  const [place, setPlace] = useState<PlaceValue>(noPlace)
  const { data } = useAnswer(hydrantMap, {})
  const { lat, lon } = place
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
        <PlaceField
          label={t`Address of the call`}
          hint={t`Choose an address, or put the pin on the map.`}
          name="place"
          value={place}
          onChange={setPlace}
          error={undefined}
        />
        {(place.addressId !== null || lat !== null) && (
          <>
            <Found place={place} />
            <WhoLivesThere key={place.text} place={place} />
          </>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <TownMap
          label={t`Hydrants of the town`}
          pin={pin}
          marks={marks}
          onMark={(id) => setQuery({ hydrant: String(id) })}
        />
        <p className="text-muted text-sm">
          <Trans>
            The same hydrants stand in the list, and the nearest of an address on this page.{' '}
            <Link className="link" to={HYDRANTS_PATH}>
              To the list
            </Link>
          </Trans>
        </p>
      </div>
    </div>
  )
}

function Found({ place }: { place: PlaceValue }) {
  const answer = useAnswer(atAddress, { place })
  return (
    <Answered answer={answer} shape="lines" loading={<Trans>Looking for hydrants and notes</Trans>}>
      {({ found, hydrants, notes }) => (
        <>
          {notes && (
            <section>
              <h3 className="mb-2 text-lg">
                <Trans>Known of this place</Trans>
              </h3>
              {notes.length === 0 && (
                <p className="text-muted">
                  <Trans>There is no premise note here.</Trans>
                </p>
              )}
              <ul className="flex flex-col gap-2">
                {notes.map(({ id, kind, place: where }) => (
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
                {found ? (
                  <Trans>No hydrant of the town has a place on the map.</Trans>
                ) : (
                  <Trans>Nobody knows where this place is. Choose an address of the list.</Trans>
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
                  <span className="text-muted text-sm">{hydrant.place}</span>
                </li>
              ))}
            </ol>
          </section>
        </>
      )}
    </Answered>
  )
}
