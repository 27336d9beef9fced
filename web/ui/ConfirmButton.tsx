import { type ReactNode, useState } from 'react'
import type { Endpoint } from '../../shared/endpoint.ts'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './Dialog.tsx'
import { PlainForm, Scripted } from './PlainForm.tsx'

interface ConfirmButtonProps {
  /** Call that a page without JavaScript makes. */
  call: Endpoint
  /** Label of the button: 'Cancel request'. */
  label: ReactNode
  /** Title of the dialog: 'Cancel request R-2026-000001?'. */
  title: ReactNode
  /** False if the call is not possible now. An open dialog stays, and the call then explains the refusal. */
  isAllowed: boolean
  busy: boolean
  /** Makes the call. The dialog closes when it ends. */
  onConfirm: () => Promise<unknown>
  /** Effect of the call. */
  children: ReactNode
}

/** Button that asks for a confirmation in a dialog. Without JavaScript, the person opens the question in the page. */
export function ConfirmButton({ call, label, title, isAllowed, busy, onConfirm, children }: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      {isAllowed && (
        <Scripted
          className="mt-4"
          otherwise={
            <details className="mt-4">
              <summary className="link">{label}</summary>
              <PlainForm call={call} className="mt-3">
                <p>{children}</p>
                <Button type="submit" variant="danger">
                  {label}
                </Button>
              </PlainForm>
            </details>
          }
        >
          <Button onClick={() => setIsOpen(true)}>{label}</Button>
        </Scripted>
      )}
      {isOpen && (
        <ConfirmDialog
          title={title}
          confirmLabel={label}
          danger
          busy={busy}
          onClose={close}
          onConfirm={() => void onConfirm().then(close)}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}
