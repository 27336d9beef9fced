import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { messageOf } from '../call.ts'
import { ResponseView } from '../ui/ResponseView.tsx'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Choice.tsx'
import { SlideOut } from '../ui/Dialog.tsx'
import { LateSave, useLeaving } from '../ui/LateSave.tsx'
import { Refusal } from '../ui/Notice.tsx'
import { toast } from '../ui/Toasts.tsx'

interface Rules {
  requireSecondFactor: boolean
  /** Number of staff members. `without` is the number of those without two-factor authentication. */
  staff: number
  without: number
}

interface SignInRulesProps {
  /** Name of the company or platform. */
  name: string
  hint: string
  /** Rules stored on the server, as `useResponse` returns them. */
  response: { data: Rules | undefined; error: Error | null; refetch: () => Promise<unknown> }
  /** Saves the choice. `basis` has the stored value that the person saw. */
  save: (requireSecondFactor: boolean, basis: Record<string, unknown>) => Promise<{ message: string }>
  onClose: () => void
}

/** Panel with the setting that requires two-factor authentication for staff of a company or the platform. */
export function SignInRules({ name, hint, response: reply, save, onClose }: SignInRulesProps) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { isLate, leave } = useLeaving(onClose)
  const { data } = reply
  const required = chosen ?? data?.requireSecondFactor ?? false
  // Value of the setting when the panel opened. Later reloads do not change it.
  const opened = useRef<boolean>(undefined)
  opened.current ??= data?.requireSecondFactor
  const submit = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      toast((await save(required, { requireSecondFactor: opened.current })).message)
      onClose()
    } catch (problem) {
      setRefusal(messageOf(problem))
    } finally {
      setBusy(false)
    }
  }
  return (
    <SlideOut
      title={
        <span className="wrap-anywhere">
          <Trans>Sign-in rules for {name}</Trans>
        </span>
      }
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button variant="primary" busy={busy} disabled={!data} onClick={() => void submit()}>
            <Trans>Save</Trans>
          </Button>
          <Button disabled={busy && !isLate} onClick={leave}>
            <Trans>Cancel</Trans>
          </Button>
        </>
      }
    >
      <ResponseView response={reply} shape="lines" loading={<Trans>Loading the rules</Trans>}>
        {({ staff, without }) => (
          <div className="flex flex-col gap-4">
            <LateSave />
            <Refusal>{refusal}</Refusal>
            <Checkbox
              label={t`Require two-factor authentication for staff`}
              hint={hint}
              checked={required}
              onChange={(event) => setChosen(event.currentTarget.checked)}
            />
            <p>
              {without === 0 ? (
                <Trans>Two-factor authentication is set up for all staff accounts ({staff}).</Trans>
              ) : (
                <Trans>
                  Staff accounts without two-factor authentication: {without} of {staff}. If you require two-factor
                  authentication, these staff members must set it up at their next sign-in. No one will be locked out.
                </Trans>
              )}
            </p>
          </div>
        )}
      </ResponseView>
    </SlideOut>
  )
}
