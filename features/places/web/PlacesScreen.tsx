import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { MapPinned, Upload } from 'lucide-react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { placeCounts } from '../contract.ts'
import { parcels } from '../list.ts'
import { FindPlace } from './FindPlace.tsx'
import { ImportPlaces } from './ImportPlaces.tsx'
import { MapFile } from './MapFile.tsx'
import { ParcelSlideOut } from './ParcelSlideOut.tsx'

/** Places of the company: searchable addresses, parcels, zones and the map. */
export default function PlacesScreen() {
  const { t } = useLingui()
  const { data: places, error, refetch } = useResponse(placeCounts, {})
  const importing = useQueryParam('import') !== null && places?.can.upload
  const parcelId = Number(useQueryParam('parcel'))
  const upload = places?.can.upload && (
    <Button variant="primary" icon={Upload} onClick={() => setQuery({ import: '1' })}>
      <Trans>Import</Trans>
    </Button>
  )
  return (
    <>
      <PageHead title={t`Places`} actions={upload}>
        {places && <Counts loaded={places} />}
      </PageHead>
      {error && !places && <Failed error={error} onRetry={() => void refetch()} />}
      {!places && !error && (
        <LoadingState>
          <Trans>Loading the places</Trans>
        </LoadingState>
      )}
      {places && places.addresses + places.streets + places.zones + places.parcels === 0 && (
        <EmptyState icon={MapPinned} title={t`No places yet`} action={upload}>
          <Trans>
            After you import addresses, residents can choose their address from a list and staff can see locations on
            the map. Start with an address file.
          </Trans>
        </EmptyState>
      )}
      {places && places.addresses + places.streets + places.zones + places.parcels > 0 && (
        <div className="flex flex-col gap-8">
          <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <FindPlace />
            <MapFile loaded={places} />
          </div>
          <Parcels />
        </div>
      )}
      {importing && <ImportPlaces onClose={() => setQuery({ import: null })} />}
      {parcelId > 0 && <ParcelSlideOut parcelId={parcelId} onClose={() => setQuery({ parcel: null })} />}
    </>
  )
}

function Counts({ loaded }: { loaded: ResponseOf<typeof placeCounts> }) {
  return (
    <Trans>
      <Plural value={loaded.addresses} one="# address" other="# addresses" /> on{' '}
      <Plural value={loaded.streets} one="# street" other="# streets" />,{' '}
      <Plural value={loaded.parcels} one="# parcel" other="# parcels" />,{' '}
      <Plural value={loaded.zones} one="# zone" other="# zones" />
    </Trans>
  )
}

function Parcels() {
  const open = ({ id }: { id: number }) => setQuery({ parcel: String(id) })
  return (
    <ListScreen
      of={parcels}
      level={2}
      rowName={({ number }) => number}
      cells={{ number: ({ number }) => <strong>{number}</strong> }}
      actions={{ view: open }}
      onRow={open}
    />
  )
}
