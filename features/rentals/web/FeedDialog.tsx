import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { CloseAction, Dialog } from '../../../web/ui/Dialog.tsx'
import { AboutFeeds, FeedRow } from '../../../web/ui/FeedRow.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import {
  staffRentalFeed,
  endStaffRentalFeed,
  endRentalFeed,
  makeStaffRentalFeed,
  makeRentalFeed,
  rentalFeed,
} from '../contract.ts'

const own = { feed: rentalFeed, make: makeRentalFeed, end: endRentalFeed }
const staff = { feed: staffRentalFeed, make: makeStaffRentalFeed, end: endStaffRentalFeed }

interface FeedDialogProps {
  /** `own` for the resident's own reservations. `desk` for all reservations, which only staff may see. */
  of: 'own' | 'desk'
  name: string
  onClose: () => void
}

/** Dialog with the secret calendar URL that a phone's calendar app subscribes to. */
export function FeedDialog({ of, name, onClose }: FeedDialogProps) {
  const { feed, make, end } = of === 'own' ? own : staff
  const response = useResponse(feed, {})
  const [url, setUrl] = useState<string | null>(null)
  const { act, busy, refusal } = useAct(() => reload(feed))
  const onMake = () =>
    act(async () => {
      const made = await call(make, {})
      setUrl(made.url)
      return made
    })
  const onEnd = () =>
    act(() => {
      setUrl(null)
      return call(end, {})
    })
  return (
    <Dialog
      title={<Trans>Add reservations to your phone</Trans>}
      onClose={onClose}
      actions={<CloseAction onClose={onClose} />}
    >
      <AboutFeeds />
      <Refusal>{refusal}</Refusal>
      <ResponseView response={response} shape="lines" loading={<Trans>Loading the calendar</Trans>}>
        {({ since }) => (
          <FeedRow
            name={name}
            since={since}
            url={url}
            busy={busy}
            onMake={() => void onMake()}
            onEnd={() => void onEnd()}
          />
        )}
      </ResponseView>
    </Dialog>
  )
}
