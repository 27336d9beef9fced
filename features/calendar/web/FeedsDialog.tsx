import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { CloseAction, Dialog } from '../../../web/ui/Dialog.tsx'
import { AboutFeeds, FeedRow } from '../../../web/ui/FeedRow.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { calendarFeeds, endCalendarFeed, makeCalendarFeed } from '../contract.ts'

/** Shows the secret URLs through which a phone or another calendar program can subscribe to a calendar. */
export function FeedsDialog({ onClose }: { onClose: () => void }) {
  const response = useResponse(calendarFeeds, {})
  const [made, setMade] = useState<{ departmentId: number | null; url: string } | null>(null)
  const { act, busy, refusal } = useAct(() => reload(calendarFeeds))
  const make = (departmentId: number | null) =>
    act(async () => {
      const { message, url } = await call(makeCalendarFeed, { departmentId })
      setMade({ departmentId, url })
      return { message }
    })
  const end = (departmentId: number | null) =>
    act(() => {
      setMade(null)
      return call(endCalendarFeed, { departmentId })
    })
  return (
    <Dialog title={<Trans>Add calendar to phone</Trans>} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <AboutFeeds />
      <Refusal>{refusal}</Refusal>
      <ResponseView response={response} shape="lines" loading={<Trans>Loading the calendars</Trans>}>
        {({ feeds }) => (
          <ul>
            {feeds.map(({ departmentId, name, since }) => (
              <li key={departmentId ?? 'mine'}>
                <FeedRow
                  name={name}
                  since={since}
                  url={made?.departmentId === departmentId ? made.url : null}
                  busy={busy}
                  onMake={() => void make(departmentId)}
                  onEnd={() => void end(departmentId)}
                />
              </li>
            ))}
          </ul>
        )}
      </ResponseView>
    </Dialog>
  )
}
