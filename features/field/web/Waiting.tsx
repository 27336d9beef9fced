import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { shortInstant } from '../../../web/clock.ts'
import { type Action, dropAction, replacePhoto, takeBack } from '../../../web/field/outbox.ts'
import { PhotoButton } from '../../../web/field/Photos.tsx'
import { photoOf } from '../../../web/field/photo.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

interface WaitingProps {
  actions: readonly Action[]
  onSend: () => void
}

/** The actions that wait on this device, in sending order. Every action can be removed, and a refused photo replaced. */
export function Waiting({ actions, onSend }: WaitingProps) {
  const { t } = useLingui()
  const [asked, setAsked] = useState<Action | null>(null)
  const replace = async (action: Action, file: File) => {
    await replacePhoto(action, await photoOf(file))
    onSend()
  }
  if (actions.length === 0) return null
  return (
    <details className="mb-4 rounded-sm border border-line bg-surface">
      <summary className="flex min-h-12 cursor-pointer items-center px-3 font-bold">
        <Plural value={actions.length} one="What waits: # change" other="What waits: # changes" />
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
              look="quiet"
              className="min-h-11"
              aria-label={action.tried ? t`Discard: ${action.label}` : t`Take back: ${action.label}`}
              onClick={() => setAsked(action)}
            >
              {action.tried ? <Trans>Discard</Trans> : <Trans>Take back</Trans>}
            </Button>
          </li>
        ))}
      </ol>
      {asked?.tried && (
        <ConfirmDialog
          title={t`Discard “${asked.label}”?`}
          confirmLabel={t`Discard`}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await dropAction(asked)
            setAsked(null)
          }}
        >
          {asked.problem ? (
            <Trans>The portal did not accept it. This device forgets it, and nobody can restore it.</Trans>
          ) : (
            <Trans>
              This device sent it but got no answer. The portal may have it already. Check {asked.subjectName}{' '}
              afterwards.
            </Trans>
          )}
        </ConfirmDialog>
      )}
      {asked && !asked.tried && (
        <ConfirmDialog
          title={t`Take this back?`}
          confirmLabel={t`Take it back`}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const isBack = await takeBack(asked)
            setAsked(null)
            if (!isBack) toast(t`It is on its way already, so it was not taken back.`, 'warning')
          }}
        >
          <Trans>
            “{asked.label}” of {asked.subjectName} was never sent. It will be gone from this device.
          </Trans>
        </ConfirmDialog>
      )}
    </details>
  )
}
