import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../act.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Refusal } from '../ui/Notice.tsx'
import { Code, Text } from '../ui/Text.tsx'

/**
 * Row types of a list. Each type has different questions, for example a list of submissions has a type for each form.
 */
export interface EachType {
  filter: string
  title: string
  types: readonly { id: number; name: string }[]
}

interface ExportEachProps extends EachType {
  onExport: (type: number | null) => Promise<void>
  onClose: () => void
}

/**
 * Dialog that exports the rows of one type, or of all types. The file of one type has a column for each of its
 * questions.
 */
export function ExportEach({ title, types, onExport, onClose }: ExportEachProps) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(async () => {})
  const [done, setDone] = useState<ReadonlySet<number | null>>(new Set())
  const save = (type: number | null) =>
    act(async () => {
      await onExport(type)
      setDone((before) => new Set(before).add(type))
      return { message: t`Download started.` }
    })
  const rows = [
    ...types.map(({ id, name }) => ({ id: id as number | null, name })),
    { id: null, name: t`All types in one file, without answers` },
  ]
  return (
    <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>{t`Close`}</Button>}>
      <p className="mb-3">
        <Trans>
          Each type has different questions, so each type has its own file. Your filters apply to each file.
        </Trans>
      </p>
      <Refusal>{refusal}</Refusal>
      <ul className="border-line border-t">
        {rows.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-2">
            <span className="min-w-0 flex-1 wrap-anywhere">
              <Code>{name}</Code>
              {done.has(id) && (
                <span className="text-muted text-sm">
                  {' '}
                  · <Text>{t`Exported`}</Text>
                </span>
              )}
            </span>
            <Button
              size="small"
              icon={Download}
              disabled={busy}
              aria-label={t`Export ${name}`}
              onClick={() => void save(id)}
            >
              <Trans>Export</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
