import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { shortInstant } from '../../../web/clock.ts'
import { type Action, dropAction, replacePhoto, undoAction } from '../../../web/field/outbox.ts'
import { PhotoButton } from '../../../web/field/Photos.tsx'
import { photoOf } from '../../../web/field/photo.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

interface PendingActionsProps {
  actions: readonly Action[]
  onSend: () => void
}

/** Actions that wait on this device, in sending order. Staff can remove any action, and replace a refused photo. */
export function PendingActions({ actions, onSend }: PendingActionsProps) {
  const { t } = useLingui()
  const [actionToDiscard, setActionToDiscard] = useState<Action | null>(null)
  const replace = async (action: Action, file: File) => {
    await replacePhoto(action, await photoOf(file))
    onSend()
  }
  if (actions.length === 0) return null
  return (
    <details className="mb-4 rounded-sm border border-line bg-surface">
      <summary className="flex min-h-12 cursor-pointer items-center px-3 font-bold">
        <Plural value={actions.length} one="# unsent change" other="# unsent changes" />
      </summary>
      <ol className="border-line border-t">
        {actions.map((action) => (
          <li key={action.id} className="flex flex-wrap items-center gap-3 border-line border-b p-3 last:border-b-0">
            {action.photo && <img src={action.photo.thumb} alt="" className="size-12 object-cover" />}
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <strong>{action.label}</strong>
              <span className="block text-muted text-sm">
                <Code>{action.subjectName}</Code>, <Text>{shortInstant(action.madeAt)}</Text>
              </span>
              <Refusal>{action.problem ?? null}</Refusal>
            </span>
            {action.photo && action.problem && (
              <PhotoButton label={t`Choose another photo`} onPhoto={(file) => replace(action, file)} />
            )}
            <Button
              size="small"
              variant="quiet"
              className="min-h-11"
              aria-label={action.tried ? t`Discard: ${action.label}` : t`Undo: ${action.label}`}
              onClick={() => setActionToDiscard(action)}
            >
              {action.tried ? <Trans>Discard</Trans> : <Trans>Undo</Trans>}
            </Button>
          </li>
        ))}
      </ol>
      {actionToDiscard?.tried && (
        <ConfirmDialog
          title={t`Discard “${actionToDiscard.label}”?`}
          confirmLabel={t`Discard`}
          onClose={() => setActionToDiscard(null)}
          onConfirm={async () => {
            await dropAction(actionToDiscard)
            setActionToDiscard(null)
          }}
        >
          {actionToDiscard.problem ? (
            <Trans>The portal rejected this change. If you discard the change, you cannot get it back.</Trans>
          ) : (
            <Trans>
              This device sent the change but got no response, so the portal may already have it. After you discard the
              change, check {actionToDiscard.subjectName}.
            </Trans>
          )}
        </ConfirmDialog>
      )}
      {actionToDiscard && !actionToDiscard.tried && (
        <ConfirmDialog
          title={t`Undo this change?`}
          confirmLabel={t`Undo`}
          onClose={() => setActionToDiscard(null)}
          onConfirm={async () => {
            const isUndone = await undoAction(actionToDiscard)
            setActionToDiscard(null)
            if (!isUndone) toast(t`This change is already being sent, so it was not undone.`, 'warning')
          }}
        >
          <Trans>
            “{actionToDiscard.label}” for {actionToDiscard.subjectName} has not been sent yet. Undoing the change will
            remove it from this device.
          </Trans>
        </ConfirmDialog>
      )}
    </details>
  )
}
