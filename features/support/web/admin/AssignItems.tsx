import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { assignItems, MAX_ITEMS, supportItems } from '../../contract.ts'
import { categories } from '../../rules.ts'
import { ageOf, reloadRequests } from './fresh-requests.ts'
import { Code, Text } from '../../../../web/ui/Text.tsx'

type Item = ResponseOf<typeof supportItems>['assigned'][number]

/**
 * Slide-out 'Assign items' (spec 1, 2.19) with checkboxes for the person's requests and unassigned requests, saved
 * together.
 */
export default function AssignItems({ personId, onClose }: { personId: number; onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(supportItems, { personId })
  const { data } = response
  /** Ids of requests with a changed checkbox. */
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set())
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const toggle = (id: number) =>
    setChanged(
      (previous) => new Set(previous.has(id) ? [...previous].filter((other) => other !== id) : [...previous, id]),
    )
  const chosen = (items: readonly Item[]) => items.map(({ id }) => id).filter((id) => changed.has(id))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!data || busy) return
    setBusy(true)
    setRefusal('')
    try {
      const body = { personId, assign: chosen(data.unassigned), unassign: chosen(data.assigned) }
      const { message } = await call(assignItems, body)
      await Promise.all([reload(supportItems), reloadRequests()])
      onClose()
      toast(message)
    } catch (problem) {
      setRefusal(messageOf(problem))
      await reload(supportItems)
    }
    setBusy(false)
  }
  return (
    <SlideOut
      title={t`Assign items`}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button type="submit" form="assign-items" variant="primary" busy={busy} disabled={!data}>
            <Trans>Save</Trans>
          </Button>
          <Button onClick={onClose} disabled={busy}>
            <Trans>Discard</Trans>
          </Button>
        </>
      }
    >
      <ResponseView
        response={response}
        loading={<Trans>Loading the items</Trans>}
        failed={<Trans>Could not load the items</Trans>}
      >
        {(items) => (
          <form id="assign-items" className="flex flex-col gap-6" onSubmit={(event) => void save(event)}>
            <Refusal>{refusal}</Refusal>
            <Items
              legend={t`Assigned to ${items.name}`}
              none={t`Nothing is assigned to ${items.name}.`}
              items={items.assigned}
              isChecked={(id) => !changed.has(id)}
              toggle={toggle}
            />
            <Items
              legend={t`Unassigned`}
              none={t`All open requests are assigned.`}
              items={items.unassigned}
              isChecked={(id) => changed.has(id)}
              toggle={toggle}
            />
            {items.more && (
              <p className="text-muted text-sm">
                <Trans>Only the {MAX_ITEMS} requests that have waited longest are shown.</Trans>
              </p>
            )}
          </form>
        )}
      </ResponseView>
    </SlideOut>
  )
}

interface ItemsProps {
  legend: string
  none: string
  items: readonly Item[]
  isChecked: (id: number) => boolean
  toggle: (id: number) => void
}

const Items = ({ legend, none, items, isChecked, toggle }: ItemsProps) => (
  <fieldset className="min-w-0">
    <legend className="mb-2 font-bold">
      <Text>{legend}</Text> (<Code>{items.length}</Code>)
    </legend>
    {items.length === 0 && <p className="text-muted">{none}</p>}
    {items.map(({ id, number, company, at, category, subject }) => (
      <Checkbox
        key={id}
        className="border-line border-b py-2"
        checked={isChecked(id)}
        onChange={() => toggle(id)}
        label={
          <span className="text-table">
            <strong>{number}</strong> · <Code>{company}</Code> · <Text>{ageOf(at)}</Text>
            <span className="block text-muted wrap-anywhere">
              <Text>{categories[category]}</Text>: <Text>{subject}</Text>
            </span>
          </span>
        }
      />
    ))}
  </fieldset>
)
