import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { shortInstant } from '../../../web/clock.ts'
import { type Action, takeBack } from '../../../web/field/outbox.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'

/** What waits on this device, in the order in which it is sent. What was never sent can be taken back. */
export function Waiting({ actions }: { actions: readonly Action[] }) {
  const { t } = useLingui()
  const [asked, setAsked] = useState<Action | null>(null)
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
                {action.subjectName}, {shortInstant(action.madeAt)}
              </span>
              <Refusal>{action.problem ?? null}</Refusal>
            </span>
            {!action.tried && (
              <Button
                size="small"
                look="quiet"
                className="min-h-11"
                aria-label={t`Take back: ${action.label}`}
                onClick={() => setAsked(action)}
              >
                <Trans>Take back</Trans>
              </Button>
            )}
          </li>
        ))}
      </ol>
      {asked && (
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
