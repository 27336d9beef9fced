import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { OnceAnswered } from '../../../web/ui/Answered.tsx'
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
  /** Opens the added portal, so that staff can test it. */
  onOpen: (id: number) => void
  onClose: () => void
}
type ShowPortalResponse = ResponseOf<typeof showPortal>

/** Adds or changes another portal and maps our categories to its services. */
export const EditPortal = (props: Props) => (
  <OnceAnswered
    title={<Trans>Other portal</Trans>}
    onClose={props.onClose}
    answer={useAnswer(showPortal, { portalId: props.id })}
    loading={<Trans>Loading the portal</Trans>}
  >
    {(view) => <EditPortalForm {...props} shown={view} />}
  </OnceAnswered>
)

const form311 = z.extend(portalForm, { apiKey: apiKeyField })

function EditPortalForm({ shown, id, onOpen, onClose }: Props & { shown: ShowPortalResponse }) {
  const { t } = useLingui()
  const form = useZodForm(form311, {
    defaultValues: { ...shown.form, apiKey: '' },
    ...(id !== null && { basis: shown.form }),
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
      title={id === null ? <Trans>Add a portal</Trans> : shown.form.name}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id="other-portal" onClose={onClose} />}
    >
      {id !== null && <Offers id={id} shown={shown} />}
      <Form id="other-portal" form={form} onSubmit={save}>
        <TextField
          label={t`Name`}
          hint={t`As your staff and residents know it.`}
          maxLength={80}
          {...form.field('name')}
        />
        <TextField
          label={t`Address`}
          hint={t`Of its Open311 endpoint (GeoReport v2), such as https://county.example/open311/v2.`}
          inputMode="url"
          maxLength={300}
          {...form.field('url')}
        />
        <TextField
          label={t`Jurisdiction`}
          optional
          hint={t`Its jurisdiction_id, where the portal serves several.`}
          maxLength={100}
          {...form.field('jurisdictionId')}
        />
        <TextField
          label={t`API key`}
          optional
          hint={
            shown.hasKey
              ? t`A key is kept. Enter another one to replace it; another address needs it anew.`
              : t`Which it made for you. Without one most portals take no requests.`
          }
          autoComplete="off"
          type="password"
          maxLength={300}
          {...form.field('apiKey')}
        />
        <Checkbox
          label={t`Send requests there`}
          hint={t`Without it the portal is paused: what is new waits for up to a week.`}
          {...form.field('active')}
        />
        <Checkbox
          label={t`Follow its status`}
          hint={t`What it closes is completed here, and open again when it opens it. Without it your staff are told, and decide.`}
          {...form.field('followsStatus')}
        />
        <Checkbox
          label={t`Tell it who asked`}
          hint={t`Name, email and phone. Without it you alone are in touch with the resident.`}
          {...form.field('sendsContact')}
        />
        {id !== null && <Routes shown={shown} {...form.choice('routes')} />}
      </Form>
    </SlideOut>
  )
}

/** Result of the last test, and the button that tests the portal. */
function Offers({ id, shown: { servicesAt, problem, hasUpdates } }: { id: number; shown: ShowPortalResponse }) {
  const [busy, setBusy] = useState(false)
  const [testResult, setTestResult] = useState<{ tone: 'success' | 'danger'; says: string } | null>(null)
  const test = async () => {
    setBusy(true)
    try {
      setTestResult({ tone: 'success', says: (await call(testPortal, { portalId: id })).message })
      await reload(showPortal)
      await reload(otherPortals.call)
    } catch (error) {
      setTestResult({ tone: 'danger', says: messageOf(error) })
    }
    setBusy(false)
  }
  return (
    <section className="mb-5 flex flex-col gap-3">
      {problem && <Notice tone="warning">{problem}</Notice>}
      <p className="text-muted text-sm">
        {servicesAt === null ? (
          <Trans>It was not asked yet what it offers.</Trans>
        ) : hasUpdates ? (
          <Trans>Its services were read {shortInstant(servicesAt)}. It takes and tells updates.</Trans>
        ) : (
          <Trans>Its services were read {shortInstant(servicesAt)}. It tells no updates.</Trans>
        )}
      </p>
      <div>
        <Button size="small" onClick={() => void test()} busy={busy}>
          <Trans>Test the connection</Trans>
        </Button>
      </div>
      <div role="status">{testResult && <Notice tone={testResult.tone}>{testResult.says}</Notice>}</div>
    </section>
  )
}

type Route = ShowPortalResponse['form']['routes'][number]
interface RoutesProps {
  shown: ShowPortalResponse
  value: Route[]
  onChange: (routes: Route[]) => void
  error: string | undefined
}

/** Our categories with the service that receives their requests. */
function Routes({ shown: { services, categories }, value: routes, onChange, error }: RoutesProps) {
  const { t } = useLingui()
  const choose = (categoryId: number, serviceCode: string) => {
    const others = routes.filter((route) => route.categoryId !== categoryId)
    const all = serviceCode === '' ? others : [...others, { categoryId, serviceCode }]
    onChange(all.toSorted((a, b) => a.categoryId - b.categoryId))
  }
  return (
    <FieldGroup
      id="routes"
      label={t`What goes there`}
      hint={t`New requests of a category go to the service that you choose. Those that are here already stay.`}
      error={error}
    >
      {services.length === 0 && (
        <Notice>
          <Trans>Test the connection first: then its services can be chosen here.</Trans>
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
              hint={elsewhere === '' ? undefined : t`It goes to ${elsewhere}.`}
              disabled={elsewhere !== ''}
              value={chosen}
              onChange={({ target }) => choose(id, target.value)}
              options={[
                { value: '', label: t`Stays here` },
                ...(isGone ? [{ value: chosen, label: t`${chosen}, which is not offered any more` }] : []),
                ...services.map(({ code, name: label }) => ({ value: code, label })),
              ]}
            />
          )
        })}
    </FieldGroup>
  )
}
