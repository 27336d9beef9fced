import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../web/call.ts'
import { useAct } from '../../../web/act.ts'
import { shortInstant } from '../../../web/clock.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { addTask, tickTask } from '../contract.ts'
import { type OrderDetails, reloadOrders } from './fresh.ts'

/** Checklist of an order. Saves each change immediately. */
export function Checklist({ order: { id, tasks, can } }: { order: OrderDetails }) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(reloadOrders)
  const [text, setText] = useState('')
  const add = () =>
    act(async () => {
      const response = await call(addTask, { orderId: id, text })
      setText('')
      return response
    })
  if (tasks.length === 0 && !can.work) return null
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Checklist</Trans>
      </h3>
      <Refusal>{refusal}</Refusal>
      <ul className="mb-3 flex flex-col gap-1">
        {tasks.map(({ no, text, doneAt, doneBy }) => (
          <li key={no}>
            <Checkbox
              label={text}
              checked={doneAt !== null}
              disabled={!can.work}
              hint={doneAt === null ? undefined : `${doneBy}, ${shortInstant(doneAt)}`}
              onChange={({ target }) => void act(() => call(tickTask, { orderId: id, no, done: target.checked }))}
            />
          </li>
        ))}
      </ul>
      {can.work && (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <TextField
            className="flex-1"
            label={t`New checklist item`}
            autoComplete="off"
            maxLength={200}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Button type="submit" busy={busy} disabled={text.trim() === ''}>
            <Trans>Add</Trans>
          </Button>
        </form>
      )}
    </section>
  )
}
