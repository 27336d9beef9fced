import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { cardReaders, pairCardReader, readerForm, removeCardReader } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Reader = ResponseOf<typeof cardReaders>['readers'][number]

/** Card readers of the counter, if the company has any. */
export function ReadersPanel() {
  const { data } = useResponse(cardReaders, {})
  const { t } = useLingui()
  const [pairing, setPairing] = useState(false)
  const [leaving, setLeaving] = useState<Reader | null>(null)
  if (!data?.cards) return null
  return (
    <Panel id="card-readers" title={<Trans>Card readers</Trans>}>
      {data.readers.length === 0 ? (
        <p className="mb-4 text-muted">
          <Trans>No card reader is paired yet. Turn on a reader and enter the code that it shows.</Trans>
        </p>
      ) : (
        <ul className="mb-4">
          {data.readers.map((reader) => (
            <li
              key={reader.id}
              className="flex flex-wrap items-center justify-between gap-x-4 border-line border-t py-2"
            >
              <Text>{reader.label}</Text>
              <Button size="small" onClick={() => setLeaving(reader)} aria-label={t`Remove ${reader.label}`}>
                <Trans>Remove</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {pairing ? (
        <PairForm onDone={() => setPairing(false)} />
      ) : (
        <Button size="small" onClick={() => setPairing(true)}>
          <Trans>Pair card reader</Trans>
        </Button>
      )}
      {leaving && <ConfirmRemove reader={leaving} onClose={() => setLeaving(null)} />}
    </Panel>
  )
}

function ConfirmRemove({ reader: { id, label }, onClose }: { reader: Reader; onClose: () => void }) {
  const { act, busy } = useAct(() => reload(cardReaders))
  return (
    <ConfirmDialog
      title={<Trans>Remove card reader “{label}”?</Trans>}
      confirmLabel={<Trans>Remove card reader</Trans>}
      danger
      busy={busy}
      onConfirm={() => void act(() => call(removeCardReader, { id })).then(onClose)}
      onClose={onClose}
    >
      <Trans>
        You will no longer be able to use this reader for payments. Past payments will not change. You can pair the
        reader again later.
      </Trans>
    </ConfirmDialog>
  )
}

function PairForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(readerForm, { defaultValues: { code: '', label: '' } })
  return (
    <Form
      form={form}
      onSubmit={async (request) => {
        const { message } = await call(pairCardReader, request)
        await reload(cardReaders)
        toast(message)
        onDone()
      }}
    >
      <TextField
        label={t`Code on the reader`}
        hint={t`In the sandbox, enter “simulated-” followed by letters, such as simulated-front.`}
        autoComplete="off"
        {...form.field('code')}
      />
      <TextField
        label={t`Name`}
        hint={t`The reader’s location, for example: Front desk.`}
        maxLength={60}
        {...form.field('label')}
      />
      <FormActions
        form={form}
        submit={<Trans>Pair reader</Trans>}
        busyLabel={<Trans>Pairing...</Trans>}
        onCancel={onDone}
      />
    </Form>
  )
}
