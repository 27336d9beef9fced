import { useLingui } from '@lingui/react/macro'
import { Bookmark } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import type { SavedViewsProps } from './ViewsDialog.tsx'

const ViewsDialog = lazy(() => import('./ViewsDialog.tsx'))

/**
 * Button and dialog for a person's saved views of a list. People can save, open, rename and remove views, or share them
 * as a link.
 */
export function SavedViews({ list, filters }: SavedViewsProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon={Bookmark}
        label={t`Views`}
        aria-haspopup="dialog"
        className="size-10! border-edge! bg-surface"
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <ViewsDialog list={list} filters={filters} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
