import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../../web/ui/Button.tsx'
import type { ChoicesProps } from './Choices.tsx'

/** Most pay one bill, and load nothing of the others. */
const Choices = lazy(() => import('./Choices.tsx'))

/** What else can be paid with this payment: all that can be found, and one's own other bills by one press, once it is asked for. */
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
