import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { methods, orderStatus } from '../../payments/rules.ts'
import { OutageNotice } from '../../outages/web/parts/OutageNotice.tsx'
import { closeDrawer, daySheet, myDrawer, openDrawer, type Sheet } from '../contract.ts'
import { drawers } from '../list.ts'
import { isRetained } from '../rules.ts'
import { CountForm } from './CountForm.tsx'
import { DaySheet } from './DaySheet.tsx'
import { ReadersPanel } from './ReadersPanel.tsx'
import { TakePayment } from './TakePayment.tsx'
import { PaymentsTable } from './PaymentsTable.tsx'
import { VoidsToAgree, type PendingVoids } from './VoidsToAgree.tsx'

/** True for a card payment on a reader. An eCheck stays pending for days, but staff do not wait for it. */
const isWaitedFor = ({ method, status }: Sheet['payments'][number]) =>
  method === methods.card && status === orderStatus.pending

const refresh = () => Promise.all([reload(myDrawer), reload(drawers.call), reload(daySheet)])

export default function CounterScreen() {
  const { t } = useLingui()
  const response = useResponse(myDrawer, {})
  /** Id of the drawer that was just closed. The screen opens its day sheet. */
  const [closed, setClosed] = useState<number | null>(null)
  const [arrives, setArrives] = useState(false)
  return (
    <>
      <PageHead title={t`Counter`}>
        <Trans>Take cash, check, money order and card payments. Each payment is recorded in your drawer.</Trans>
      </PageHead>
      <OutageNotice />
      <ResponseView
        response={response}
        loading={<Trans>Loading your drawer</Trans>}
        failed={<Trans>Could not load your drawer</Trans>}
      >
        {({ drawer, voids }) =>
          drawer ? (
            <Open drawer={drawer} voids={voids} arrives={arrives} onClosed={setClosed} />
          ) : (
            <Closed onOpened={() => setArrives(true)} />
          )
        }
      </ResponseView>
      {closed !== null && <DaySheet id={closed} onClose={() => setClosed(null)} />}
    </>
  )
}

const Closed = ({ onOpened }: { onOpened: () => void }) => (
  <Panel id="open-drawer" title={<Trans>Open your drawer</Trans>} className="max-w-form">
    <p className="mb-4">
      <Trans>Count your opening cash. The cash payments that you take later will be added to this amount.</Trans>
    </p>
    <CountForm
      draft="drawer-opening"
      submit={<Trans>Open drawer</Trans>}
      busyLabel={<Trans>Opening...</Trans>}
      onCount={async (counts) => {
        toast((await call(openDrawer, { counts })).message)
        onOpened()
        await refresh()
      }}
    />
  </Panel>
)

interface OpenProps {
  drawer: Sheet
  voids: PendingVoids
  arrives: boolean
  onClosed: (id: number) => void
}

function Open({ drawer, voids, arrives, onClosed }: OpenProps) {
  const { t } = useLingui()
  const [closing, setClosing] = useState(false)
  const retained = drawer.payments.filter(isRetained)
  const sum = retained.reduce((cents, { totalCents }) => cents + totalCents, 0)
  return (
    <div className="flex flex-col gap-6">
      <Notice>
        <span className="flex flex-wrap items-center justify-between gap-3">
          <span>
            <Trans>
              Your drawer has been open since {shortInstant(drawer.openedAt)}, with {formatCents(drawer.openingCents)}{' '}
              in opening cash. Received since then:{' '}
              <Plural value={retained.length} one="# payment" other="# payments" />, {formatCents(sum)} total.
            </Trans>
          </span>
          <Button size="small" onClick={() => setClosing(true)}>
            <Trans>Count and close drawer</Trans>
          </Button>
        </span>
      </Notice>
      <VoidsToAgree voids={voids} onDecided={() => void refresh()} />
      <TakePayment
        drawerId={drawer.id}
        arrives={arrives}
        pending={drawer.payments.find(isWaitedFor)?.paymentId ?? null}
        onPaid={() => void refresh()}
      />
      <ReadersPanel />
      <Panel id="taken" title={<Trans>Payments in this drawer</Trans>}>
        <PaymentsTable payments={drawer.payments} />
      </Panel>
      {closing && (
        <Dialog title={t`Count and close drawer`} onClose={() => setClosing(false)}>
          <p className="mb-4">
            <Trans>
              Count all cash in the drawer, including the opening cash. Do not count checks or money orders. After you
              close the drawer, you can no longer add payments to it or void its payments.
            </Trans>
          </p>
          <CountForm
            hasNote
            draft={`drawer-closing:${drawer.id}`}
            submit={<Trans>Close drawer</Trans>}
            busyLabel={<Trans>Closing...</Trans>}
            onCount={async (counts, note) => {
              const done = await call(closeDrawer, { drawerId: drawer.id, counts, note })
              toast(done.message)
              onClosed(done.drawerId)
              await refresh()
            }}
          />
        </Dialog>
      )}
    </div>
  )
}
