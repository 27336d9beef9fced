import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { staffAccess, renewAccess, renewForm } from '../contract.ts'

/** Door code status of a reservation. Staff who may change reservations can read and replace the code. */
export default function StaffDoorCode({ reservationId }: { reservationId: number }) {
  const [renews, setRenews] = useState(false)
  const { data } = useResponse(staffAccess, { reservationId })
  if (!data || data.is === 'none') return null
  return (
    <section className="mt-5 rounded-sm bg-tint p-4">
      <h3 className="text-base">
        <Trans>Door code</Trans>
      </h3>
      <CodeStatus of={data} />
      {data.can.renew && (
        <Button className="mt-2" size="small" onClick={() => setRenews(true)}>
          <Trans>Create new code</Trans>
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
          <Trans>The code could not be created yet ({of.lastError}). The portal will try again.</Trans>
        ) : (
          <Trans>The portal is creating the code.</Trans>
        )}
      </p>
    )
  return (
    <p>
      {of.code && <strong className="me-3 tabular-nums">{of.code}</strong>}
      <Trans>
        Valid from {longInstant(of.from)} until {longInstant(of.until)}.
      </Trans>
    </p>
  )
}

function Renew({ reservationId, onClose }: { reservationId: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(renewForm, { defaultValues: { reason: '' } })
  return (
    <FormDialog
      title={<Trans>Create new code</Trans>}
      form={form}
      submit={<Trans>Create new code</Trans>}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(renewAccess, { reservationId, ...values })).message)
        await reload(staffAccess)
      }}
    >
      <p>
        <Trans>The old code will stop working. The renter will get the new code.</Trans>
      </p>
      <TextField label={t`Reason`} autoComplete="off" {...form.field('reason')} />
    </FormDialog>
  )
}
