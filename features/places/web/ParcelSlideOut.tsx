import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { CompanyMap } from '../../../web/places/CompanyMap.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { parcelForm, returnParcel, saveParcel } from '../contract.ts'
import { parcels } from '../list.ts'

type Parcel = ResponseOf<typeof returnParcel>

interface Props {
  parcelId: number
  onClose: () => void
}

/** Slide-out of one parcel: its location and the fields that staff may edit. */
export function ParcelSlideOut({ parcelId, onClose }: Props) {
  const response = useResponse(returnParcel, { parcelId })
  const { data } = response
  if (data?.can.edit) return <EditParcel key={data.id} parcel={data} onClose={onClose} />
  return (
    <ResponseSlideOut
      title={data ? <Trans>Parcel {data.number}</Trans> : <Trans>Parcel</Trans>}
      onClose={onClose}
      response={response}
      shape="rows"
      loading={<Trans>Loading the parcel</Trans>}
    >
      {(parcel) => <ParcelContent parcel={parcel} />}
    </ResponseSlideOut>
  )
}

function EditParcel({ parcel, onClose }: { parcel: Parcel; onClose: () => void }) {
  const { t } = useLingui()
  const { id, number, address, owner, landUse } = parcel
  const form = useZodForm(parcelForm, {
    defaultValues: { address, owner, landUse },
    basis: { address, owner, landUse },
    draft: { name: `parcel-${id}` },
  })
  const save = async (values: { address: string; owner: string; landUse: string }) => {
    toast((await call(saveParcel, { parcelId: id, ...values, basis: form.basis })).message)
    await Promise.all([reload(parcels.call), reload(returnParcel)])
    onClose()
  }
  return (
    <SlideOut
      title={<Trans>Parcel {number}</Trans>}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id="parcel" onClose={onClose} />}
    >
      <Form id="parcel" form={form} onSubmit={save}>
        <TextField label={t`Address`} optional {...form.field('address')} />
        <TextField label={t`Owner`} optional autoComplete="off" {...form.field('owner')} />
        <TextField label={t`Land use`} optional {...form.field('landUse')} />
      </Form>
      <ParcelContent parcel={parcel} />
    </SlideOut>
  )
}

function ParcelContent({
  parcel: { number, address, owner, landUse, lat, lon, outline, zones, can },
}: {
  parcel: Parcel
}) {
  const { t } = useLingui()
  const pin = useMemo(() => (outline.length === 0 ? { lat, lon } : null), [outline, lat, lon])
  const details: [string, string][] = [
    [t`Address`, address],
    [t`Owner`, owner],
    [t`Land use`, landUse],
  ]
  return (
    <div className="mt-6 flex flex-col gap-4">
      <DetailList
        details={[
          ...(can.edit ? [] : details),
          [t`Zones`, zones.map((zone) => `${zone.kind}: ${zone.name}`).join(', ') || t`None`],
          [t`Position`, `${lat.toFixed(6)}, ${lon.toFixed(6)}`],
        ]}
      />
      <CompanyMap label={t`Map of parcel ${number}`} pin={pin} outline={outline} />
    </div>
  )
}
