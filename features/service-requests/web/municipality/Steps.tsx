import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { changeStatus, markSpam, separateRequest } from '../../contract-staff.ts'
import { requestStates } from '../../states.ts'
import { CategoryDialog } from './CategoryDialog.tsx'
import { type Details, reloadRequests } from './fresh.ts'
import { MergeDialog } from './MergeDialog.tsx'
import { SplitDialog } from './SplitDialog.tsx'
import { WorkOrderDialog } from './WorkOrderDialog.tsx'

/** Buttons for the available status changes of a request and for other tools. */
export function Steps(details: Details) {
  const { t } = useLingui()
  const { request, can } = details
  const subjectId = request.id
  return (
    <>
      <MoveButtons
        of={requestStates}
        can={can.steps}
        dialog={{
          text: () => <Trans>The request will be permanently closed. Your reason will be sent to the requester.</Trans>,
          hint: t`This text is visible to the person who submitted the request.`,
          draft: `request:${subjectId}`,
        }}
        onPress={async (event, reason) => {
          try {
            toast((await call(changeStatus, { subjectId, event, reason })).message)
          } finally {
            await reloadRequests()
          }
        }}
      />
      <Tools {...details} />
    </>
  )
}

type Tool = 'order' | 'merge' | 'split' | 'category' | 'spam' | 'separate'

function Tools({ request, can }: Details) {
  const { t } = useLingui()
  const [tool, setTool] = useState<Tool | null>(null)
  const { act, busy, refusal } = useAct(reloadRequests)
  const close = () => setTool(null)
  const subjectId = request.id
  const tools: [Tool, boolean, ReactNode][] = [
    ['order', can.openWorkOrder, <Trans key="order">Open a work order</Trans>],
    ['category', can.recategorize, <Trans key="category">Change category</Trans>],
    ['merge', can.merge, <Trans key="merge">Merge request</Trans>],
    ['split', can.split, <Trans key="split">Split request</Trans>],
    ['separate', can.separate, <Trans key="separate">Undo merge</Trans>],
    ['spam', can.spam, <Trans key="spam">Spam</Trans>],
  ]
  return (
    <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
      <Refusal className="w-full">{refusal}</Refusal>
      {tools.map(
        ([name, may, label]) =>
          may && (
            <Button key={name} size="small" variant="quiet" onClick={() => setTool(name)}>
              {label}
            </Button>
          ),
      )}
      {can.notSpam && (
        <Button
          size="small"
          variant="quiet"
          busy={busy}
          onClick={() => void act(() => call(markSpam, { subjectId, spam: false }))}
        >
          <Trans>Not spam</Trans>
        </Button>
      )}
      {tool === 'order' && <WorkOrderDialog request={request} onClose={close} />}
      {tool === 'merge' && <MergeDialog request={request} onClose={close} />}
      {tool === 'split' && <SplitDialog request={request} onClose={close} />}
      {tool === 'category' && <CategoryDialog request={request} onClose={close} />}
      {tool === 'spam' && (
        <ConfirmDialog
          title={t`Mark ${request.number} as spam?`}
          confirmLabel={t`Mark as spam`}
          danger
          busy={busy}
          onConfirm={() => void act(() => call(markSpam, { subjectId, spam: true })).then(close)}
          onClose={close}
        >
          <Trans>
            The request will be closed and moved to spam. No one will be notified. You can undo this in the spam list.
          </Trans>
        </ConfirmDialog>
      )}
      {tool === 'separate' && (
        <ConfirmDialog
          title={t`Undo the merge of ${request.number}?`}
          confirmLabel={t`Undo merge`}
          busy={busy}
          onConfirm={() => void act(() => call(separateRequest, { subjectId })).then(close)}
          onClose={close}
        >
          <Trans>
            The request will reopen. Its original followers will get updates on this request again, not on the other
            one. The requester will get an email.
          </Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}
