import { Trans, useLingui } from '@lingui/react/macro'
import {
  Ban,
  Bell,
  BellOff,
  Combine,
  FolderInput,
  Link2,
  MessagesSquare,
  Play,
  Split,
  Trash2,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { translated } from '../../../../shared/messages.ts'
import { type Act, useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { AssignCase } from '../../../../web/cases/AssignCase.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { CloseAction, ConfirmDialog, Dialog } from '../../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { MenuAction, MoreMenu } from '../../../../web/ui/office/table/MoreMenu.tsx'
import { ReasonDialog } from '../../../../web/ui/ReasonDialog.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { requestCase } from '../../contract.ts'
import { changeStatus, markSpam, separateRequest } from '../../contract-staff.ts'
import { requestStates } from '../../states.ts'
import { showChat } from '../open-chat.ts'
import { CategoryDialog } from './CategoryDialog.tsx'
import { type Details, reloadRequests } from './fresh.ts'
import { LinkOrderDialog } from './LinkOrderDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { SplitDialog } from './SplitDialog.tsx'
import { WorkOrderDialog } from './WorkOrderDialog.tsx'

export type Tool =
  | 'assign'
  | 'complete'
  | 'order'
  | 'link'
  | 'merge'
  | 'split'
  | 'category'
  | 'spam'
  | 'separate'
  | 'invalidate'

const stepLabel = (event: 'start' | 'reopen' | 'invalidate'): string =>
  translated(requestStates.steps[event].label ?? '')

/** Returns the tools that this person can use on the request. */
export const toolsOf = ({ can }: Details): Record<Tool, boolean> => ({
  assign: can.assign,
  complete: can.steps.complete === true,
  order: can.openWorkOrder,
  link: can.openWorkOrder,
  merge: can.merge,
  split: can.split,
  category: can.recategorize,
  spam: can.spam,
  separate: can.separate,
  invalidate: can.steps.invalidate === true,
})

interface BarProps {
  details: Details
  tool: Tool | null
  setTool: (tool: Tool | null) => void
  onWrite: (kind: 'reply' | 'note') => void
  onClose: () => void
}

/** Main actions of a request, each with its key. All other actions are in the menu. */
export function RequestBar({ details, tool, setTool, onWrite, onClose }: BarProps) {
  const { can, request } = details
  const { act, busy, refusal } = useAct(reloadRequests)
  const allowed = toolsOf(details)
  const subjectId = request.id
  const step = (event: 'start' | 'reopen') => void act(() => call(changeStatus, { subjectId, event }))
  const main: [string, boolean, ReactNode, () => void][] = [
    ['R', can.reply, <Trans key="reply">Reply</Trans>, () => onWrite('reply')],
    ['N', can.note, <Trans key="note">Note</Trans>, () => onWrite('note')],
    ['A', allowed.assign, <Trans key="assign">Assign</Trans>, () => setTool('assign')],
    ['C', allowed.complete, <Trans key="complete">Complete</Trans>, () => setTool('complete')],
    ['W', allowed.order, <Trans key="order">Work order</Trans>, () => setTool('order')],
  ]
  return (
    <div className="my-4 flex flex-wrap items-center gap-1">
      <Refusal className="w-full">{refusal}</Refusal>
      {main.map(
        ([key, isAllowed, label, onClick]) =>
          isAllowed && (
            <Button key={key} size="small" className="px-2!" aria-keyshortcuts={key} onClick={onClick}>
              <Text>{label}</Text>
              <kbd aria-hidden className="ms-1.5 text-muted text-xs max-md:hidden">
                {key}
              </kbd>
            </Button>
          ),
      )}
      {can.steps.reopen && (
        <Button size="small" busy={busy} onClick={() => step('reopen')}>
          {stepLabel('reopen')}
        </Button>
      )}
      <RequestMenu {...{ details, setTool, act, onClose }} onStart={() => step('start')} />
      {tool !== null && allowed[tool] && (
        <ToolDialog tool={tool} details={details} act={act} busy={busy} onClose={() => setTool(null)} />
      )}
    </div>
  )
}

interface MenuProps extends Pick<BarProps, 'details' | 'setTool' | 'onClose'> {
  act: Act
  onStart: () => void
}

/** All further actions of a request. */
function RequestMenu({ details, setTool, act, onStart, onClose }: MenuProps) {
  const { t } = useLingui()
  const { can, request, watching } = details
  const allowed = toolsOf(details)
  const subjectId = request.id
  return (
    <MoreMenu label={t`More actions for ${request.number}`}>
      {can.steps.start && (
        <MenuAction icon={Play} onClick={onStart}>
          {stepLabel('start')}
        </MenuAction>
      )}
      {allowed.link && (
        <MenuAction icon={Link2} onClick={() => setTool('link')}>
          <Trans>Add to a work order</Trans>
        </MenuAction>
      )}
      {allowed.category && (
        <MenuAction icon={FolderInput} onClick={() => setTool('category')}>
          <Trans>Change category</Trans>
        </MenuAction>
      )}
      {allowed.merge && (
        <MenuAction icon={Combine} onClick={() => setTool('merge')}>
          <Trans>Merge request</Trans>
        </MenuAction>
      )}
      {allowed.split && (
        <MenuAction icon={Split} onClick={() => setTool('split')}>
          <Trans>Split request</Trans>
        </MenuAction>
      )}
      {allowed.separate && (
        <MenuAction icon={Undo2} onClick={() => setTool('separate')}>
          <Trans>Undo merge</Trans>
        </MenuAction>
      )}
      {allowed.invalidate && (
        <MenuAction icon={Ban} onClick={() => setTool('invalidate')}>
          {stepLabel('invalidate')}
        </MenuAction>
      )}
      {allowed.spam && (
        <MenuAction icon={Trash2} onClick={() => setTool('spam')}>
          <Trans>Spam</Trans>
        </MenuAction>
      )}
      {can.notSpam && (
        <MenuAction icon={Undo2} onClick={() => void act(() => call(markSpam, { subjectId, spam: false }))}>
          <Trans>Not spam</Trans>
        </MenuAction>
      )}
      {may('chat', 'view') && (
        <MenuAction
          icon={MessagesSquare}
          onClick={() => {
            showChat(subjectId)
            onClose()
          }}
        >
          <Trans>Open in chat</Trans>
        </MenuAction>
      )}
      <MenuAction
        icon={watching ? BellOff : Bell}
        onClick={() => void act(() => call(requestCase.follow, { subjectId, watches: !watching }))}
      >
        {watching ? <Trans>Stop watching</Trans> : <Trans>Watch</Trans>}
      </MenuAction>
    </MoreMenu>
  )
}

interface ToolDialogProps extends Pick<ReturnType<typeof useAct>, 'act' | 'busy'> {
  tool: Tool
  details: Details
  onClose: () => void
}

/** Dialog of one tool. */
function ToolDialog({ tool, details: { request, holder, order }, act, busy, onClose }: ToolDialogProps) {
  const { t } = useLingui()
  const { id: subjectId, number } = request
  switch (tool) {
    case 'order':
      return <WorkOrderDialog {...{ request, order, onClose }} />
    case 'link':
      return <LinkOrderDialog request={request} onClose={onClose} />
    case 'merge':
      return <MergeDialog request={request} onClose={onClose} />
    case 'split':
      return <SplitDialog request={request} onClose={onClose} />
    case 'category':
      return <CategoryDialog request={request} onClose={onClose} />
    case 'assign':
      return (
        <Dialog title={t`Assign ${number}`} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
          <AssignCase
            key={JSON.stringify(holder)}
            of={requestCase}
            subjectId={subjectId}
            holder={holder}
            label={t`Assign to other admin`}
            busy={busy}
            act={(work) => act(work).then(onClose)}
          />
        </Dialog>
      )
    case 'invalidate':
      return (
        <ReasonDialog
          title={stepLabel('invalidate')}
          text={<Trans>The request will be permanently closed. Your reason will be sent to the requester.</Trans>}
          hint={t`This text is visible to the person who submitted the request.`}
          draft={`request:${subjectId}:invalidate`}
          onReason={async (reason) => {
            toast((await call(changeStatus, { subjectId, event: 'invalidate', reason })).message)
            await reloadRequests()
          }}
          onClose={onClose}
        />
      )
    case 'complete':
      return (
        <ConfirmDialog
          title={t`Complete ${number}?`}
          confirmLabel={t`Complete`}
          busy={busy}
          onConfirm={() => void act(() => call(changeStatus, { subjectId, event: 'complete' })).then(onClose)}
          onClose={onClose}
        >
          <Trans>The requester gets an email that the request is completed.</Trans>
        </ConfirmDialog>
      )
    case 'spam':
      return (
        <ConfirmDialog
          title={t`Mark ${number} as spam?`}
          confirmLabel={t`Mark as spam`}
          danger
          busy={busy}
          onConfirm={() => void act(() => call(markSpam, { subjectId, spam: true })).then(onClose)}
          onClose={onClose}
        >
          <Trans>
            The request will be closed and moved to spam. No one will be notified. You can undo this in the spam list.
          </Trans>
        </ConfirmDialog>
      )
    case 'separate':
      return (
        <ConfirmDialog
          title={t`Undo the merge of ${number}?`}
          confirmLabel={t`Undo merge`}
          busy={busy}
          onConfirm={() => void act(() => call(separateRequest, { subjectId })).then(onClose)}
          onClose={onClose}
        >
          <Trans>
            The request will reopen. Its original followers will get updates on this request again, not on the other
            one. The requester will get an email.
          </Trans>
        </ConfirmDialog>
      )
  }
}
