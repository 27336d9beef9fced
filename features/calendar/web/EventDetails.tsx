import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { dateIn, formatInstant, timeIn } from '../../../shared/dates.ts'
import { call } from '../../../web/call.ts'
import { page } from '../../../web/page.ts'
import { reload } from '../../../web/query.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { transitionItem, scheduledItems } from '../contract.ts'
import { itemStates } from '../states.ts'
import { zoneName } from './parts/days.ts'
import { type Item, ItemBadge } from './parts/item-status.tsx'
import { rescheduleTo } from './parts/reschedule.ts'

interface EventDetailsProps {
  item: Item
  /** Latest loaded version of the event. Absent if the event no longer matches the filters. */
  now?: Item | undefined
  onClose: () => void
  /** Company of the item. Set only on screens that show all companies. Dates are then in this company's time zone. */
  company?: { name: string; timeZone: string; information: string | null }
}

/** Shows the details of an event (spec 2.11). */
export function EventDetails({ item: chosen, now, onClose, company }: EventDetailsProps) {
  const [moved, setMoved] = useState<Partial<Item>>({})
  const item = now ?? { ...chosen, ...moved }
  const at = (instant: string) =>
    company
      ? `${formatInstant(instant, company.timeZone)} ${zoneName(instant, company.timeZone)}`
      : formatInstant(instant, page().timeZone)
  return (
    <Dialog
      title={<Trans>Event Details</Trans>}
      onClose={onClose}
      actions={
        <>
          <Button variant="primary" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          {item.path && (
            <LinkButton to={item.path}>
              <Trans>Open record</Trans>
            </LinkButton>
          )}
          {company?.information && (
            <LinkButton to={company.information}>
              <Trans>Company Information</Trans>
            </LinkButton>
          )}
        </>
      }
    >
      <h3 className="mb-3 text-lg wrap-anywhere">{item.title}</h3>
      <DetailList
        details={[
          ...(company ? [[<Trans key="company">Company</Trans>, company.name] as const] : []),
          [<Trans key="start">Start Date</Trans>, at(item.calendar_date)],
          [<Trans key="end">End Date</Trans>, at(item.end_datetime)],
          ...(item.assignee ? [[<Trans key="who">Assigned to</Trans>, item.assignee] as const] : []),
          [<Trans key="status">Status</Trans>, <ItemBadge key="badge" item={item} />],
          [<Trans key="description">Description</Trans>, item.description || <Trans key="none">No description</Trans>],
        ]}
      />
      {item.moves && (
        <MoveButtons
          of={itemStates}
          can={item.moves}
          onPress={async (event) => {
            try {
              const { status, moves } = await call(transitionItem, { itemId: item.id, event })
              setMoved({ status, moves })
            } finally {
              await reload(scheduledItems)
            }
          }}
        />
      )}
      {item.moves?.reschedule && !company && <MoveForm key={item.calendar_date} item={item} />}
    </Dialog>
  )
}

/**
 * Shows the form that moves an event to another day or time. Keyboard users and users of small screens need it, because
 * they can't drag events.
 */
function MoveForm({ item }: { item: Item }) {
  const { t } = useLingui()
  const starts = new Date(item.calendar_date)
  const [day, setDay] = useState(dateIn(page().timeZone, starts))
  const [time, setTime] = useState(timeIn(page().timeZone, starts))
  const [busy, setBusy] = useState(false)
  return (
    <form
      className="mt-5 flex flex-wrap items-end gap-3"
      onSubmit={async (event) => {
        event.preventDefault()
        setBusy(true)
        await rescheduleTo(item, day, time)
        setBusy(false)
      }}
    >
      <DateField label={t`Day`} required value={day} onChange={({ target }) => setDay(target.value)} />
      <TextField label={t`Time`} type="time" required value={time} onChange={({ target }) => setTime(target.value)} />
      <Button type="submit" busy={busy}>
        <Trans>Move event</Trans>
      </Button>
    </form>
  )
}
