import { Trans, useLingui } from '@lingui/react/macro'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { importList, undoImport } from '../../../shared/imports.ts'
import { call, messageOf } from '../../call.ts'
import { reload } from '../../query.ts'
import { Button } from '../Button.tsx'
import { ConfirmDialog } from '../Dialog.tsx'
import { Notice } from '../Notice.tsx'
import { toast } from '../Toasts.tsx'

interface UndoDialogProps {
  importId: number
  onClose: () => void
  /** Reloads the data that the undo changes. */
  onUndone: () => Promise<unknown>
}

/** Dialog that asks whether to undo an import. If later records depend on it, the dialog shows the causes. */
export function UndoDialog({ importId, onClose, onUndone }: UndoDialogProps) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const undo = async () => {
    setBusy(true)
    try {
      toast((await call(undoImport, { importId })).message)
      await Promise.all([reload(importList.call), onUndone()])
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={t`Undo import?`}
      confirmLabel={<Trans>Undo import</Trans>}
      onConfirm={() => void undo()}
      onClose={onClose}
      danger
      busy={busy}
    >
      <Trans>
        The portal deletes the records that this import created, and restores the records that it changed. If later
        records depend on them, the portal changes nothing.
      </Trans>
      {problem !== '' && (
        <Notice tone="danger" arrives>
          {problem}
        </Notice>
      )}
    </ConfirmDialog>
  )
}

/** Button that undoes a finished import. */
export function UndoImport({ importId, onUndone }: Omit<UndoDialogProps, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <p className="mt-3">
      <Button size="small" icon={Undo2} onClick={() => setIsOpen(true)}>
        <Trans>Undo</Trans>
      </Button>
      {isOpen && <UndoDialog importId={importId} onClose={() => setIsOpen(false)} onUndone={onUndone} />}
    </p>
  )
}
