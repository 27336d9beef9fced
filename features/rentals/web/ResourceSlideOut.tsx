import { Trans, useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  addBlackout,
  addResource,
  addSpace,
  blackoutForm,
  removeBlackout,
  type ResourceForm,
  saveResource,
  showResource,
} from '../contract.ts'
import { STAFF_PATH } from '../rules.ts'
import { reloadRentals } from './parts/fresh.ts'
import { blank, type ResourceInput, rules, typedOf } from './resource-form.ts'
import { ResourceFields } from './ResourceFields.tsx'
import { ResourcePhotos } from './ResourcePhotos.tsx'
import { Waitlist } from './Waitlist.tsx'
import { Text } from '../../../web/ui/Text.tsx'

export function AddResource({ onClose }: { onClose: () => void }) {
  const form = useZodForm<ResourceInput, ResourceForm>(rules, {
    defaultValues: typedOf(blank) as never,
    draft: { name: 'rental-resource-new' },
  })
  const save = async (values: ResourceForm) => {
    toast((await call(addResource, values)).message)
    await reloadRentals()
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Add a resource</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <ResourceFields form={form} />
    </FormSlideOut>
  )
}

/** Slide-out for the settings, spaces and closures of a resource. */
export function ResourceSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(showResource, { resourceId: id })
  return (
    <OnceLoaded
      title={<Trans>Resource</Trans>}
      loading={<Trans>Loading the resource</Trans>}
      failed={<Trans>Could not load the resource</Trans>}
      response={response}
      onClose={onClose}
    >
      {(data) => <ResourceContent id={id} data={data} onClose={onClose} />}
    </OnceLoaded>
  )
}

type Data = ResponseOf<typeof showResource>

function ResourceContent({ id, data, onClose }: { id: number; data: Data; onClose: () => void }) {
  const { t } = useLingui()
  const [adds, setAdds] = useState<'space' | 'blackout' | null>(null)
  const { act, busy, refusal } = useAct(reloadRentals)
  const formId = useId()
  const form = useZodForm<ResourceInput, ResourceForm>(rules, {
    defaultValues: typedOf(data.form) as never,
    basis: { ...data.form },
    toFormValues: (stored) => ({ ...typedOf(stored as ResourceForm) }),
    draft: { name: `rental-resource-${id}` },
  })
  const save = async (values: ResourceForm) => {
    toast((await call(saveResource, { resourceId: id, ...values, basis: form.basis })).message)
    await reloadRentals()
    onClose()
  }
  const actions = data.can.edit ? <FormButtons {...{ form, id: formId, onClose }} /> : <CloseAction onClose={onClose} />
  return (
    <>
      <SlideOut title={data.form.name} {...{ actions, onClose }} locked={form.formState.isSubmitting}>
        <Refusal>{refusal}</Refusal>
        <Part
          title={<Trans>Closures</Trans>}
          add={data.can.edit ? t`Add closure` : ''}
          onAdd={() => setAdds('blackout')}
        >
          {data.blackouts.map((one) => (
            <li key={one.id} className="flex items-center justify-between gap-3">
              <span>
                <Text>{formatShortDate(one.from)}</Text> – <Text>{formatShortDate(one.until)}</Text>:{' '}
                <Text>{one.reason}</Text>
              </span>
              {data.can.edit && (
                <Button
                  size="small"
                  variant="quiet"
                  disabled={busy}
                  onClick={() => void act(() => call(removeBlackout, { blackoutId: one.id }))}
                >
                  <Trans>Remove closure</Trans>
                  <span className="sr-only"> {formatShortDate(one.from)}</span>
                </Button>
              )}
            </li>
          ))}
        </Part>
        <Part
          title={<Trans>Spaces</Trans>}
          add={data.can.edit && data.form.kind !== 'equipment' ? t`Add space` : ''}
          onAdd={() => setAdds('space')}
        >
          {data.spaces.map(({ id: space, name, pricePercent, partOf }) => (
            <li key={space}>
              <Text>{name || t`Entire resource`}</Text>
              {partOf && <span className="text-muted"> {t`${pricePercent}% of the price`}</span>}
            </li>
          ))}
        </Part>
        <Waitlist resourceId={id} />
        <section className="mb-6">
          <h3 className="mb-2 text-base">
            <Trans>Questions and agreement</Trans>
          </h3>
          <p className="mb-2 text-table">
            {data.hasQuestions ? (
              <Trans>Renters answer your questions and sign the agreement.</Trans>
            ) : (
              <Trans>Renters enter only the purpose, group size and phone number.</Trans>
            )}
          </p>
          <LinkButton size="small" icon={ListChecks} to={`${STAFF_PATH}/${id}/fields`}>
            <Trans>Questions and agreement</Trans>
          </LinkButton>
        </section>
        <ResourcePhotos resourceId={id} name={data.form.name} />
        {data.can.edit ? (
          <Form id={formId} form={form} onSubmit={save}>
            <ResourceFields form={form} />
          </Form>
        ) : (
          <p className="text-muted">
            <Trans>
              {formatCents(data.form.residentCents)} for residents, {formatCents(data.form.otherCents)} for nonresidents
            </Trans>
          </p>
        )}
      </SlideOut>
      {adds === 'space' && <AddSpace id={id} onClose={() => setAdds(null)} />}
      {adds === 'blackout' && <AddBlackout id={id} onClose={() => setAdds(null)} />}
    </>
  )
}

interface PartProps {
  title: ReactNode
  add: string
  onAdd: () => void
  children: ReactNode[]
}
const Part = ({ title, add, onAdd, children }: PartProps) => (
  <section className="mb-6">
    <h3 className="mb-2 text-base">{title}</h3>
    {children.length > 0 && <ul className="mb-2 flex flex-col gap-1 text-table">{children}</ul>}
    {add && (
      <Button size="small" onClick={onAdd}>
        {add}
      </Button>
    )}
  </section>
)

function AddBlackout({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(blackoutForm, { defaultValues: { from: '', until: '', reason: '' } })
  return (
    <FormDialog
      title={<Trans>Add closure</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(addBlackout, { resourceId: id, ...values })).message)
        await reloadRentals()
      }}
    >
      <p>
        <Trans>Existing reservations will not be cancelled. Cancel the ones that can't take place.</Trans>
      </p>
      <DateField label={t`First day`} {...form.field('from')} />
      <DateField label={t`Last day`} {...form.field('until')} />
      <TextField
        label={t`Reason`}
        hint={t`Residents see this reason next to the day.`}
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  )
}

const typedSpace = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60)),
  pricePercent: z.string().check(z.trim(), z.regex(/^(?:100|\d{1,2})$/, 'Enter a whole number from 0 to 100.')),
})
function AddSpace({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(typedSpace, { defaultValues: { name: '', pricePercent: '50' } })
  return (
    <FormDialog
      title={<Trans>Add space</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, pricePercent }) => {
        toast((await call(addSpace, { resourceId: id, name, pricePercent: Number(pricePercent) })).message)
        await reloadRentals()
      }}
    >
      <p>
        <Trans>
          If one space is reserved, the others stay available. The entire resource is available only if every space is
          available.
        </Trans>
      </p>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <TextField label={t`Percentage of the price`} inputMode="numeric" {...form.field('pricePercent')} />
    </FormDialog>
  )
}
