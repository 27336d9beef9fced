import { Trans, useLingui } from '@lingui/react/macro'
import { Bell } from 'lucide-react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { alertChoices, saveAlertChoices } from '../contract.ts'
import { myCalls } from '../contract-calls.ts'
import { READ_PATH } from '../rules.ts'
import { CallsPanel } from './CallsPanel.tsx'

type AlertChoicesResponse = ResponseOf<typeof alertChoices>
type Values = Pick<AlertChoicesResponse, 'language'> & { services: { email: boolean; text: boolean; call: boolean }[] }
const anything = z.object({
  language: z.enum(['en', 'es']),
  services: z.array(z.object({ email: z.boolean(), text: z.boolean(), call: z.boolean() })),
})

export function ChoicesScreen() {
  const calls = useResponse(myCalls, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Your alerts</Trans>}>
        <Trans>
          Choose your alerts and how you receive them.{' '}
          <Link className="link" to={READ_PATH}>
            The alerts page
          </Link>{' '}
          always shows active alerts.
        </Trans>
      </PageHead>
      <ResponseView response={useResponse(alertChoices, {})} shape="block" loading={<Trans>Loading your alerts</Trans>}>
        {(choices) =>
          choices.services.length === 0 ? (
            <EmptyState icon={Bell} title={<Trans>No alerts available yet</Trans>}>
              <Trans>Check back later.</Trans>
            </EmptyState>
          ) : (
            // Renders the calls panel and the choices together, so that content does not move during loading.
            <ResponseView response={calls} shape="block" loading={<Trans>Loading your alerts</Trans>}>
              {(ofCalls) => (
                <div className="grid gap-8">
                  <CallsPanel calls={ofCalls} />
                  <Choose key={JSON.stringify(choices)} loaded={choices} />
                </div>
              )}
            </ResponseView>
          )
        }
      </ResponseView>
    </Measure>
  )
}

function Choose({ loaded }: { loaded: AlertChoicesResponse }) {
  const { t } = useLingui()
  const { services, language, emailOff, textOff, callOff, addresses } = loaded
  const form = useZodForm<Values, Values>(anything, {
    defaultValues: {
      language,
      services: services.map(({ email, text, call: calls }) => ({ email, text, call: calls })),
    },
    draft: { name: 'alert-choices' },
  })
  const save = async (values: Values) => {
    const choices = services.map(({ id }, at) => ({
      serviceId: id,
      email: values.services[at]?.email ?? false,
      text: values.services[at]?.text ?? false,
      call: values.services[at]?.call ?? false,
    }))
    toast((await call(saveAlertChoices, { language: values.language, choices })).message)
    await reload(alertChoices)
  }
  const types = [
    [1, t`Emergencies and alerts`, t`You receive these alerts unless you opt out.`],
    [2, t`Essential services`, t`You receive these alerts only if you choose them.`],
    [3, t`Other services`, t`You receive these alerts only if you choose them.`],
  ] as const
  return (
    <Form form={form} onSubmit={save} className="grid max-w-3xl gap-8">
      <Reached loaded={loaded} />
      {types.map(([type, title, description]) => {
        const of = services.flatMap((service, at) => (service.type === type ? [{ ...service, at }] : []))
        return (
          of.length > 0 && (
            <Panel key={type} id={`alerts-${type}`} title={title}>
              <p className="mb-3 text-muted">{description}</p>
              <ServiceRows form={form} services={of} hasCalls={callOff !== 'never'} />
            </Panel>
          )
        )
      })}
      <Select
        className="max-w-xs"
        label={t`Alert language`}
        hint={t`If an alert is not available in this language, you will receive it in English.`}
        options={[
          { value: 'en', label: 'English' },
          { value: 'es', label: 'Español' },
        ]}
        {...form.field('language')}
      />
      <Addresses addresses={addresses} />
      <p>
        <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
          <Trans>Save</Trans>
        </Button>
      </p>
      {emailOff === 'off' && textOff === 'off' && callOff !== '' && (
        <p className="text-muted">
          <Trans>You will not receive any alerts while email, texts and calls are all off.</Trans>
        </p>
      )}
    </Form>
  )
}

interface ServiceRowsProps {
  form: ZodForm<Values, Values>
  /** Services of one type, each with its index in the form. */
  services: readonly (AlertChoicesResponse['services'][number] & { at: number })[]
  hasCalls: boolean
}

function ServiceRows({ form, services, hasCalls }: ServiceRowsProps) {
  const { t } = useLingui()
  return (
    <ul className="divide-y divide-line">
      {services.map(({ id, name, at }) => (
        <li key={id}>
          <fieldset className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
            <legend className="float-start min-w-0 flex-1 basis-52 font-bold">{name}</legend>
            <div className="flex gap-6">
              <Checkbox label={t`Email`} {...form.field(`services.${at}.email`)} />
              <Checkbox label={t`Text`} {...form.field(`services.${at}.text`)} />
              {hasCalls && <Checkbox label={t`Call`} {...form.field(`services.${at}.call`)} />}
            </div>
          </fieldset>
        </li>
      ))}
    </ul>
  )
}

/**
 * Shows the resident's addresses. They determine whether the resident gets alerts that cover only a part of the
 * municipality.
 */
function Addresses({ addresses }: Pick<AlertChoicesResponse, 'addresses'>) {
  const { t } = useLingui()
  const unknown = addresses.filter(({ isListed }) => !isListed)
  return (
    <section aria-label={t`Your addresses`}>
      <h2 className="mb-2 text-h3">
        <Trans>Your addresses</Trans>
      </h2>
      {addresses.length === 0 ? (
        <p>
          <Trans>
            We cannot send you alerts for your area because we do not know your address. Add your address under{' '}
            <SettingsLink />.
          </Trans>
        </p>
      ) : (
        <>
          <p className="mb-2 text-muted">
            <Trans>
              We use these addresses to send you alerts for your area. The addresses come from your profile, accounts
              and registrations.
            </Trans>
          </p>
          <ul className="list-disc ps-5">
            {addresses.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {unknown.length > 0 && (
        <Notice tone="warning" className="mt-3">
          <Trans>Not found on our map: {unknown.map(({ text }) => text).join('; ')}.</Trans>
        </Notice>
      )}
    </section>
  )
}

const SettingsLink = () => (
  <Link className="link" to="/profile/settings">
    <Trans>Settings</Trans>
  </Link>
)

/** Shows the resident's channels, with the reason for each unavailable one. */
function Reached({
  loaded: { email, emailOff, textOff, phone, callOff, callPhone },
}: {
  loaded: AlertChoicesResponse
}) {
  const [number, line] = [phone, callPhone].map((one) => formatPhone(nationalDigits(one)))
  return (
    <div className="grid gap-3">
      {emailOff === '' ? (
        <p>
          <Trans>
            We email you at <strong className="wrap-anywhere">{email}</strong>.
          </Trans>
        </p>
      ) : (
        <Notice tone="warning">
          {emailOff === 'off' ? (
            <Trans>
              Your email alerts are off, so you do not receive alerts by email. Turn them on under <SettingsLink />.
            </Trans>
          ) : (
            <Trans>To receive alerts by email, first confirm your email address.</Trans>
          )}
        </Notice>
      )}
      {textOff === '' ? (
        <p>
          <Trans>
            We text you at <strong className="whitespace-nowrap">{number}</strong>.
          </Trans>
        </p>
      ) : (
        <Notice tone="info">
          {textOff === 'none' ? (
            <Trans>
              To receive alerts by text, first agree to texts under <SettingsLink />.
            </Trans>
          ) : textOff === 'opted_out' ? (
            <Trans>You replied STOP to a text. To receive texts again, text START to the same number.</Trans>
          ) : (
            <Trans>
              Your phone alerts are off, so you do not receive alerts by text. Turn them on under <SettingsLink />.
            </Trans>
          )}
        </Notice>
      )}
      {callOff === '' && (
        <p>
          <Trans>
            We call you at <strong className="whitespace-nowrap">{line}</strong>.
          </Trans>
        </p>
      )}
      {(callOff === 'none' || callOff === 'opted_out' || (callOff === 'off' && textOff !== 'off')) && (
        <Notice tone="info">
          {callOff === 'none' ? (
            <Trans>To receive alerts by phone call, first confirm your phone number under “Phone calls” above.</Trans>
          ) : callOff === 'opted_out' ? (
            <Trans>
              Someone pressed 9 during a call to your number, so you no longer receive alerts by phone call.
            </Trans>
          ) : (
            <Trans>
              Your phone alerts are off, so you do not receive alerts by phone call. Turn them on under <SettingsLink />
              .
            </Trans>
          )}
        </Notice>
      )}
    </div>
  )
}
