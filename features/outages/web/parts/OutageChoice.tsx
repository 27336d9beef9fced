import { Trans } from '@lingui/react/macro'
import { longInstant } from '../../../../web/clock.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { GRACE_DAYS } from '../../rules.ts'

export type DeferredAction = 'note' | 'charge' | 'remind'

interface Props {
  since: string
  /** Saved method that can be charged later, with the total. Null if none is chosen. */
  charges: { methodLabel: string; total: string } | null
  /** Choice that is being saved. Null if none. */
  busy: DeferredAction | null
  disabled: boolean
  onChoose: (action: DeferredAction) => void
}

/** Choices for a payer who cannot pay during an outage. */
export default function OutageChoice({ since, charges, busy, disabled, onChoose }: Props) {
  const at = longInstant(since)
  const button = (action: DeferredAction, variant: 'primary' | 'secondary', label: React.ReactNode) => (
    <Button
      variant={variant}
      wide
      busy={busy === action}
      disabled={disabled || busy !== null}
      onClick={() => onChoose(action)}
    >
      {label}
    </Button>
  )
  return (
    <>
      <Notice tone="warning" title={<Trans>Payments by card and bank account are not working right now</Trans>}>
        <p>
          <Trans>
            The payment provider has not responded since {at}. Nothing will be charged, and no amount that you owe will
            become late because of the outage. We will record your choice below and its time. Your choice protects you
            from late fees caused by the outage until {GRACE_DAYS} days after payments work again.
          </Trans>
        </p>
      </Notice>
      <div className="mt-5 flex flex-col gap-3">
        {charges && (
          <>
            {button(
              'charge',
              'primary',
              <Trans>
                Pay {charges.total} with {charges.methodLabel} when payments work again
              </Trans>,
            )}
            <p className="text-muted text-sm">
              <Trans>
                We will charge this amount once, if you still owe it. You can withdraw your request until then.
              </Trans>
            </p>
          </>
        )}
        {button('remind', charges ? 'secondary' : 'primary', <Trans>Send me a link when I can pay</Trans>)}
        {button('note', 'secondary', <Trans>Only record that I tried to pay</Trans>)}
      </div>
    </>
  )
}
