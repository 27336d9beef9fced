import { Trans } from '@lingui/react/macro'
import { formatInstant } from '../../../shared/dates.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Facts } from '../../../web/ui/Card.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'
import { type Chosen, ItemBadge } from './item-status.tsx'
import { timeZone } from './town.ts'

/** What an event is about (specification 2.11). */
export const EventDetails = ({ chosen: { item, label }, onClose }: { chosen: Chosen; onClose: () => void }) => (
  <Dialog
    title={<Trans>Event Details</Trans>}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    }
  >
    <h3 className="mb-3 text-lg wrap-anywhere">{item.title}</h3>
    <Facts
      facts={[
        [<Trans key="start">Start Date</Trans>, formatInstant(item.calendar_date, timeZone)],
        [<Trans key="end">End Date</Trans>, formatInstant(item.end_datetime, timeZone)],
        [<Trans key="status">Status</Trans>, <ItemBadge key="badge" status={item.status} label={label} />],
        [
          <Trans key="description">Description</Trans>,
          item.description || <Trans key="none">No description was given.</Trans>,
        ],
      ]}
    />
  </Dialog>
)
