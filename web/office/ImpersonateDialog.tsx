import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Form } from '../ui/Form.tsx'
import { forgetDraft, useZodForm } from '../ui/form.ts'
import { TextArea } from '../ui/TextField.tsx'
import { type StartedImpersonation, ImpersonationFailure, openWindow, POPUP_BLOCKED } from './start-impersonation.ts'
import { translated } from '../../shared/messages.ts'

interface Reason {
  reason: string
}

interface ImpersonateDialogProps {
  /** Name of the impersonated person or municipality. */
  name: string
  /** Schema for the reason, from the call. */
  reason: z.ZodMiniType<Reason, Reason>
  /**
   * Requests the impersonation and returns its data, such as the URL of the window.
   * @throws ImpersonationFailure
   */
  onStart: (reason: string) => Promise<StartedImpersonation>
  onClose: () => void
  /** Rules of the session. By default, those for impersonating a resident or a municipality. */
  children?: ReactNode
}

/** Asks for a reason, then opens the other portal in a new window (spec 4.9, product rules section 4). */
export function ImpersonateDialog({ name, reason, onStart, onClose, children }: ImpersonateDialogProps) {
  const { t } = useLingui()
  const [failure, setFailure] = useState<Failure | null>(null)
  const form = useZodForm(reason, { defaultValues: { reason: '' }, draft: { name: 'impersonate' } })
  const { isSubmitting } = form.formState

  const open = async (values: Reason) => {
    try {
      openWindow(await onStart(values.reason))
      forgetDraft(form)
      onClose()
    } catch (error) {
      const denied = error instanceof ImpersonationFailure && error.kind === 'denied'
      setFailure({ denied, message: error instanceof ImpersonationFailure ? error.message : messageOf(error) })
    }
  }
  if (failure) return <Failed {...failure} onClose={() => setFailure(null)} />
  return (
    <Dialog
      title={
        // A long email address can be wider than a phone's screen.
        <span className="wrap-anywhere">
          <Trans>Impersonate {name}</Trans>
        </span>
      }
      onClose={onClose}
      locked={isSubmitting}
      actions={
        <>
          <Button type="submit" form="impersonate" variant="primary" busy={isSubmitting}>
            <Trans>Open in new window</Trans>
          </Button>
          <Button onClick={onClose} disabled={isSubmitting}>
            <Trans>Cancel</Trans>
          </Button>
        </>
      }
    >
      <Form id="impersonate" form={form} onSubmit={open} keepDraft>
        <p>
          {children ?? (
            <Trans>
              You can impersonate for up to 30 minutes. Every view and change will be logged under your name. You cannot
              make payments or change sign-in details.
            </Trans>
          )}
        </p>
        <TextArea
          label={t`Reason`}
          hint={t`The reason will be saved in the audit log. For example: "Asked by phone why the bill is higher."`}
          rows={3}
          maxLength={200}
          {...form.field('reason')}
        />
      </Form>
    </Dialog>
  )
}

interface Failure {
  denied: boolean
  message: string
}

/**
 * Dialog that shows the failure in place of the reason form. After the dialog closes, the form returns with the typed
 * text (spec 8.4).
 */
const Failed = ({ denied, message, onClose }: Failure & { onClose: () => void }) => (
  <Dialog
    title={denied ? <Trans>Access Denied</Trans> : <Trans>Impersonation Failed</Trans>}
    onClose={onClose}
    actions={
      <Button variant="primary" onClick={onClose}>
        <Trans>Go back</Trans>
      </Button>
    }
  >
    <p>{message}</p>
    {message === translated(POPUP_BLOCKED) && (
      <p className="mt-2 text-muted">
        <Trans>Allow pop-up windows for this site in your browser, then try again.</Trans>
      </p>
    )}
  </Dialog>
)
