import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { staffAccess, renewAccess, renewForm } from '../contract.ts'

/** Door code status of a reservation. Staff who may change reservations can read and replace the code. */
export default function StaffDoorCode({ reservationId }: { reservationId: number }) {
  const [renews, setRenews] = useState(false)
  const { data } = useAnswer(staffAccess, { reservationId })
  if (!data || data.is === 'none') return null
  return (
    <section className="mt-5 rounded-sm bg-tint p-4">
      <h3 className="text-base">
        <Trans>Code of the door</Trans>
      </h3>
      <CodeStatus of={data} />
      {data.can.renew && (
        <Button className="mt-2" size="small" onClick={() => setRenews(true)}>
          <Trans>Make another code</Trans>
        </Button>
      )}
      {renews && <Renew reservationId={reservationId} onClose={() => setRenews(false)} />}
    </section>
  )
}

function CodeStatus({ of }: { of: ResponseOf<typeof staffAccess> }) {
  if (of.is === 'wanted')
    return (
      <p>
        {of.lastError ? (
          <Trans>It could not be made yet ({of.lastError}) and is tried again.</Trans>
        ) : (
          <Trans>It is being made.</Trans>
        )}
      </p>
    )
  return (
    <p>
      {of.code && <strong className="me-3 tabular-nums">{of.code}</strong>}
      <Trans>
        It opens from {longInstant(of.from)} until {longInstant(of.until)}.
      </Trans>
    </p>
  )
}

function Renew({ reservationId, onClose }: { reservationId: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(renewForm, { defaultValues: { reason: '' } })
  return (
    <FormDialog
      title={<Trans>Make another code</Trans>}
      form={form}
      submit={<Trans>Make another code</Trans>}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(renewAccess, { reservationId, ...values })).message)
        await reload(staffAccess)
      }}
    >
      <p>
        <Trans>The one before opens nothing any more. Whoever has the reservation gets the new one.</Trans>
      </p>
      <TextField label={t`Why`} autoComplete="off" {...form.field('reason')} />
    </FormDialog>
  )
}
