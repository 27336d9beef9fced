import { Trans, useLingui } from '@lingui/react/macro'
import { Phone } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { shortInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { NotFound } from '../../../web/NotFound.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { sandboxCalls } from '../list.ts'
import { callStates } from '../rules.ts'

type Row = RowOf<typeof sandboxCalls>

/** Screen with the demo's calls to sandbox phones and the text that they played. */
export default function CallsScreen() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<Row | null>(null)
  if (!page().demo) return <NotFound home="/admin" />
  return (
    <>
      <ListScreen
        of={sandboxCalls}
        rowName={({ phone }) => t`the call to ${phone}`}
        actions={{ view: setChosen }}
        onRow={setChosen}
        empty={
          <EmptyState icon={Phone} title={<Trans>No calls yet</Trans>}>
            <Trans>Alert calls to residents who turned on phone calls in their settings appear here.</Trans>
          </EmptyState>
        }
        note={
          <p className="max-w-prose text-muted text-sm">
            <Trans>
              The last four digits of the number set the outcome of the call. Numbers ending in 0181 are busy twice.
              Numbers ending in 0182 never answer. Numbers ending in 0183 reach an answering machine. Numbers ending in
              0184 do not exist. Numbers ending in 0185 press 9 to stop calls.
            </Trans>
          </p>
        }
      />
      {chosen && <Listen call={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

/** Slide-out of one call, with the text that the call played. */
function Listen({ call, onClose }: { call: Row; onClose: () => void }) {
  return (
    <SlideOut title={call.phone} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <DetailList
        className="text-table"
        details={[
          [<Trans key="from">From</Trans>, call.portal],
          [<Trans key="time">Time</Trans>, shortInstant(call.at)],
          [<Trans key="status">Status</Trans>, translated(callStates[call.status])],
          ...(call.answeredBy ? [[<Trans key="by">Answered by</Trans>, call.answeredBy] as const] : []),
          ...(call.pressed ? [[<Trans key="key">Key pressed</Trans>, call.pressed] as const] : []),
          ...(call.seconds > 0
            ? [[<Trans key="seconds">Duration in seconds</Trans>, String(call.seconds)] as const]
            : []),
        ]}
      />
      <p className="mt-5 wrap-anywhere whitespace-pre-line border-line border-t pt-5">{call.text}</p>
    </SlideOut>
  )
}
