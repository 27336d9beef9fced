import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../web/ui/Button.tsx'
import type { ChoicesProps } from './Choices.tsx'

/** Loaded only when the payer clicks, because most payers pay one bill and do not need this code. */
const Choices = lazy(() => import('./Choices.tsx'))

/**
 * Lets the payer add other items to this payment. A click opens search screens and a list of the payer's own bills,
 * which can be added with one click.
 */
export function AddMore(props: ChoicesProps) {
  const [open, setOpen] = useState(false)
  return (
    <div className="mt-4">
      <Button size="small" icon={Plus} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Trans>Add another bill</Trans>
      </Button>
      {open && (
        <Suspense>
          <Choices {...props} />
        </Suspense>
      )}
    </div>
  )
}
