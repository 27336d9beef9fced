import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageOf } from '../../../call.ts'
import { Button } from '../../Button.tsx'
import { ConfirmDialog } from '../../Dialog.tsx'
import { Notice } from '../../Notice.tsx'
import { Text } from '../../Text.tsx'
import { toast } from '../../Toasts.tsx'
import type { BulkAction, BulkFailure } from './bulk.ts'
import type { Selection } from './selection.ts'

interface BulkBarProps<Row> {
  actions: readonly BulkAction<Row>[]
  selection: Selection<Row>
  rowKey: (row: Row) => string | number
  rowName: (row: Row) => string
  noun: (count: number) => string
  onDone: () => void
}

/**
 * Bar with the number of selected rows and their actions. It appears below the table, so that no content above moves.
 */
export default function BulkBar<Row>({ actions, selection, rowKey, rowName, noun, onDone }: BulkBarProps<Row>) {
  const { t } = useLingui()
  const [confirming, setConfirming] = useState<BulkAction<Row> | null>(null)
  const [running, setRunning] = useState<BulkAction<Row> | null>(null)
  const [failed, setFailed] = useState<readonly BulkFailure<Row>[]>([])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const { rows } = selection
  const count = rows.length
  const remaining = failed.filter(({ row }) => selection.has(row))

  const run = async (action: BulkAction<Row>) => {
    setRunning(action)
    setFailed([])
    try {
      const result = await action.run(rows, values[action.label] ?? '')
      // Null if the person cancelled a dialog. All rows then stay selected.
      if (result !== null) {
        const outcome = typeof result === 'string' ? { message: result, failed: [] } : result
        selection.keep(outcome.failed.map(({ row }) => rowKey(row)))
        setFailed(outcome.failed)
        if (outcome.message) toast(outcome.message)
      }
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setRunning(null)
    setConfirming(null)
    onDone()
  }
  return (
    <>
      <p role="status" className="spoken">
        {count > 0 && t`${count} ${noun(count)} selected`}
      </p>
      {count > 0 && (
        <section
          aria-label={t`Selected rows`}
          data-sticky-end
          className="sticky bottom-0 z-30 flex flex-col gap-3 border border-edge bg-surface p-3 shadow-overlay print:hidden"
        >
          {remaining.length > 0 && (
            <Notice tone="danger" title={<Plural value={remaining.length} one="# row failed" other="# rows failed" />}>
              {/* Focusable, so that people can scroll many rows with the keyboard. */}
              {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <ul tabIndex={0} aria-label={t`Failed rows`} className="focus-inside max-h-40 overflow-y-auto">
                {remaining.map(({ row, text }) => (
                  <li key={rowKey(row)}>
                    <strong>{rowName(row)}</strong>: <Text>{text}</Text>
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <span className="font-bold">
              <Trans>
                {count} {noun(count)} selected
              </Trans>
            </span>
            {actions.map((action) => (
              <span key={action.label} className="compact flex items-end gap-2">
                <Text>
                  {action.field?.(values[action.label] ?? '', (value) =>
                    setValues((before) => ({ ...before, [action.label]: value })),
                  )}
                </Text>
                <Button
                  variant={action.danger ? 'danger' : actions.length > 2 ? 'secondary' : 'primary'}
                  {...(action.icon && { icon: action.icon })}
                  busy={running === action}
                  disabled={
                    (running !== null && running !== action) || (action.field && !values[action.label]) === true
                  }
                  onClick={() => (action.confirm ? setConfirming(action) : void run(action))}
                >
                  {action.label}
                </Button>
              </span>
            ))}
            <Button variant="quiet" disabled={running !== null} onClick={() => selection.chooseAll(rows, false)}>
              <Trans>Clear selection</Trans>
            </Button>
          </div>
        </section>
      )}
      {confirming && (
        <ConfirmDialog
          title={`${confirming.label}: ${count} ${noun(count)}`}
          confirmLabel={confirming.label}
          danger={confirming.danger === true}
          busy={running !== null}
          onConfirm={() => void run(confirming)}
          onClose={() => setConfirming(null)}
        >
          {confirming.confirm?.(rows)}
        </ConfirmDialog>
      )}
    </>
  )
}
