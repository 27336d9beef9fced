import type { ReactNode } from 'react'
import type { Endpoint } from '../../shared/endpoint.ts'
import { Button } from './Button.tsx'
import { PlainForm } from './PlainForm.tsx'

interface PlainConfirmProps {
  call: Endpoint
  /** Label of the button: 'Cancel request'. */
  label: ReactNode
  /** Effect of the call. */
  children: ReactNode
}

/** Replaces a button with a confirmation dialog in a page without JavaScript. The person opens it first, to confirm. */
export const PlainConfirm = ({ call, label, children }: PlainConfirmProps) => (
  <details className="mt-4">
    <summary className="link">{label}</summary>
    <PlainForm call={call} className="mt-3">
      <p>{children}</p>
      <Button type="submit" variant="danger">
        {label}
      </Button>
    </PlainForm>
  </details>
)
