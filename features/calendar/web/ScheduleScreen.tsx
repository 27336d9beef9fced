import { Trans, useLingui } from '@lingui/react/macro'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { eventTypes } from '../contract.ts'
import { itemStates, type ItemStatus } from '../states.ts'
import { FeedsDialog } from './FeedsDialog.tsx'
import { EventDetails } from './EventDetails.tsx'
import type { Item } from './parts/item-status.tsx'
import { ViewSelect } from './parts/range.tsx'
import { CompanyCalendar, useLogged, useCompanyCalendar } from './CompanyCalendar.tsx'
import { translated } from '../../../shared/messages.ts'

/** Value of the status filter that selects all statuses. Calls send null instead (spec 4.1). */
const ALL_STATUSES = 'all'
const ALL_TYPES = 0

/** Shows the calendar and its filters. The URL contains the filters (spec 2.11). */
export default function ScheduleScreen() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<Item | null>(null)
  const [feeds, setFeeds] = useState(false)
  const status = statusIn(useQueryParam('status'))
  const eventType = typeIn(useQueryParam('type'))
  const types = useResponse(eventTypes, {})
  useLogged(types.error)
  const calendar = useCompanyCalendar({ eventType: eventType === ALL_TYPES ? null : eventType, status })
  const count = calendar.data?.data.length ?? null
  return (
    <>
      <PageHead
        title={<Trans>Schedule</Trans>}
        actions={
          <Button icon={Smartphone} onClick={() => setFeeds(true)}>
            <Trans>Add calendar to phone</Trans>
          </Button>
        }
      />
      {feeds && <FeedsDialog onClose={() => setFeeds(false)} />}
      <div className="mb-6 flex flex-wrap items-end gap-3 max-md:grid max-md:grid-cols-2 print:hidden">
        <ViewSelect range={calendar.range} onChange={(view, from) => setQuery({ view, from })} />
        <Select
          className="md:min-w-48"
          label={<Trans>Status</Trans>}
          value={status ?? ALL_STATUSES}
          onChange={({ target }) => setQuery({ status: target.value === ALL_STATUSES ? null : target.value })}
          options={[
            { value: ALL_STATUSES, label: t`All` },
            ...itemStates.names.map((value) => ({ value, label: translated(itemStates.labels[value]) })),
          ]}
        />
        <Select
          className="md:min-w-48"
          label={<Trans>Event type</Trans>}
          value={eventType}
          onChange={({ target }) => setQuery({ type: Number(target.value) === ALL_TYPES ? null : target.value })}
          options={[
            { value: ALL_TYPES, label: t`All` },
            ...(types.data?.eventTypes ?? []).map(({ id, name, category }) => ({ value: id, label: name || category })),
          ]}
        />
        {(status !== null || eventType !== ALL_TYPES) && (
          <Button onClick={() => setQuery({ status: null, type: null })}>
            <Trans>Clear filters</Trans>
          </Button>
        )}
        <p role="status" className="text-muted text-sm max-md:col-span-2 md:ms-auto">
          {count !== null && (count === 1 ? <Trans>1 event</Trans> : <Trans>{count} events</Trans>)}
        </p>
      </div>
      <CompanyCalendar calendar={calendar} onOpen={setChosen} />
      {chosen && (
        <EventDetails
          item={chosen}
          now={calendar.data?.data.find(({ id }) => id === chosen.id)}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  )
}

const statusIn = (text: string | null): ItemStatus | null => itemStates.names.find((status) => status === text) ?? null
const typeIn = (text: string | null): number => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : ALL_TYPES)
