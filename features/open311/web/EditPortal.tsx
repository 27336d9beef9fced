import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FieldGroup } from '../../../web/ui/Field.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { apiKeyField, portalForm, savePortal, showPortal, testPortal } from '../contract.ts'
import { otherPortals } from '../list.ts'

interface Props {
  /** Null for a new portal. */
  id: number | null
  /** Opens the portal after staff add it, so that they can test it. */
  onOpen: (id: number) => void
  onClose: () => void
}
type ShowPortalResponse = ResponseOf<typeof showPortal>

/** Form to add or change another portal and to map our categories to its services. */
export const EditPortal = (props: Props) => (
  <OnceLoaded
    title={<Trans>Other portal</Trans>}
    onClose={props.onClose}
    response={useResponse(showPortal, { portalId: props.id })}
    loading={<Trans>Loading the portal</Trans>}
  >
    {(view) => <EditPortalForm {...props} portal={view} />}
  </OnceLoaded>
)

const form311 = z.extend(portalForm, { apiKey: apiKeyField })

function EditPortalForm({ portal, id, onOpen, onClose }: Props & { portal: ShowPortalResponse }) {
  const { t } = useLingui()
  const form = useZodForm(form311, {
    defaultValues: { ...portal.form, apiKey: '' },
    ...(id !== null && { basis: portal.form }),
  })
  const save = async (values: z.output<typeof form311>) => {
    const sent = { ...values, portalId: id, ...(form.basis && { basis: form.basis }) }
    const { message, portalId } = await call(savePortal, sent)
    toast(message)
    await reload(otherPortals.call)
    await reload(showPortal)
    if (id === null) onOpen(portalId)
    else onClose()
  }
  return (
    <SlideOut
      title={id === null ? <Trans>Add a portal</Trans> : portal.form.name}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id="other-portal" onClose={onClose} />}
    >
      {id !== null && <Offers id={id} portal={portal} />}
      <Form id="other-portal" form={form} onSubmit={save}>
        <TextField
          label={t`Name`}
          hint={t`Use a name that your staff and residents know.`}
          maxLength={80}
          {...form.field('name')}
        />
        <TextField
          label={t`Address`}
          hint={t`Enter the Open311 endpoint (GeoReport v2), such as https://county.example/open311/v2.`}
          inputMode="url"
          maxLength={300}
          {...form.field('url')}
        />
        <TextField
          label={t`Jurisdiction`}
          optional
          hint={t`Enter the jurisdiction_id if the portal serves more than one jurisdiction.`}
          maxLength={100}
          {...form.field('jurisdictionId')}
        />
        <TextField
          label={t`API key`}
          optional
          hint={
            portal.hasKey
              ? t`A key is saved. Enter a new key to replace it. If you change the address, enter the key again.`
              : t`Enter the key that the portal gave you. Most portals do not accept requests without one.`
          }
          autoComplete="off"
          type="password"
          maxLength={300}
          {...form.field('apiKey')}
        />
        <Checkbox
          label={t`Send requests to this portal`}
          hint={t`If this is off, the portal is paused. New requests will wait for up to a week. After that, they will not be sent.`}
          {...form.field('active')}
        />
        <Checkbox
          label={t`Follow status changes from the portal`}
          hint={t`If the portal closes or reopens a request, its status also changes here. If this is off, staff get a note and can change the status.`}
          {...form.field('followsStatus')}
        />
        <Checkbox
          label={t`Share the requester’s contact details`}
          hint={t`Name, email and phone. If this is off, only your staff can contact the resident.`}
          {...form.field('sendsContact')}
        />
        {id !== null && <Routes portal={portal} {...form.choice('routes')} />}
      </Form>
    </SlideOut>
  )
}

/** Result of the last test, with a button to test the portal again. */
function Offers({ id, portal: { servicesAt, problem, hasUpdates } }: { id: number; portal: ShowPortalResponse }) {
  const [busy, setBusy] = useState(false)
  const [testResult, setTestResult] = useState<{ tone: 'success' | 'danger'; text: string } | null>(null)
  const test = async () => {
    setBusy(true)
    try {
      setTestResult({ tone: 'success', text: (await call(testPortal, { portalId: id })).message })
      await reload(showPortal)
      await reload(otherPortals.call)
    } catch (error) {
      setTestResult({ tone: 'danger', text: messageOf(error) })
    }
    setBusy(false)
  }
  return (
    <section className="mb-5 flex flex-col gap-3">
      {problem && <Notice tone="warning">{problem}</Notice>}
      <p className="text-muted text-sm">
        {servicesAt === null ? (
          <Trans>This portal’s services have not been loaded yet.</Trans>
        ) : hasUpdates ? (
          <Trans>Services loaded {shortInstant(servicesAt)}. The portal accepts and sends updates.</Trans>
        ) : (
          <Trans>Services loaded {shortInstant(servicesAt)}. The portal sends no updates.</Trans>
        )}
      </p>
      <div>
        <Button size="small" onClick={() => void test()} busy={busy}>
          <Trans>Test the connection</Trans>
        </Button>
      </div>
      <div role="status">{testResult && <Notice tone={testResult.tone}>{testResult.text}</Notice>}</div>
    </section>
  )
}

type Route = ShowPortalResponse['form']['routes'][number]
interface RoutesProps {
  portal: ShowPortalResponse
  value: Route[]
  onChange: (routes: Route[]) => void
  error: string | undefined
}

/** List of our categories, each with the other portal's service that receives its requests. */
function Routes({ portal: { services, categories }, value: routes, onChange, error }: RoutesProps) {
  const { t } = useLingui()
  const choose = (categoryId: number, serviceCode: string) => {
    const others = routes.filter((route) => route.categoryId !== categoryId)
    const all = serviceCode === '' ? others : [...others, { categoryId, serviceCode }]
    onChange(all.toSorted((a, b) => a.categoryId - b.categoryId))
  }
  return (
    <FieldGroup
      id="routes"
      label={t`Categories to send`}
      hint={t`New requests in a category go to the service that you choose. Existing requests stay here.`}
      error={error}
    >
      {services.length === 0 && (
        <Notice>
          <Trans>Test the connection to load the services. Then choose them here.</Trans>
        </Notice>
      )}
      {services.length > 0 &&
        categories.map(({ id, name, elsewhere }) => {
          const chosen = routes.find(({ categoryId }) => categoryId === id)?.serviceCode ?? ''
          const isGone = chosen !== '' && !services.some(({ code }) => code === chosen)
          return (
            <Select
              key={id}
              label={name}
              hint={elsewhere === '' ? undefined : t`Requests in this category already go to ${elsewhere}.`}
              disabled={elsewhere !== ''}
              value={chosen}
              onChange={({ target }) => choose(id, target.value)}
              options={[
                { value: '', label: t`Do not send` },
                ...(isGone ? [{ value: chosen, label: t`${chosen}, no longer offered` }] : []),
                ...services.map(({ code, name: label }) => ({ value: code, label })),
              ]}
            />
          )
        })}
    </FieldGroup>
  )
}
