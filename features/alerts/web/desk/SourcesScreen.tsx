import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Rss } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { RowOf } from '../../../../shared/list.ts'
import { translated } from '../../../../shared/messages.ts'
import { QueryItem } from '../../../../web/query-item.tsx'
import { call, messageOf } from '../../../../web/call.ts'
import { go, setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { reload, useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { OnceLoaded } from '../../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Checkbox, optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { ListFrame } from '../../../../web/ui/office/ListFrame.tsx'
import { Section, Sections } from '../../../../web/ui/office/Sections.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { rowsOfText, TextRows } from '../../../../web/ui/TextRows.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import {
  alertSources,
  transitionReceivedAlert,
  receivedAlerts,
  removeSource,
  saveSource,
  showSource,
  type SourceForm,
  sourceForm,
} from '../../contract-sources.ts'
import { receivedStates } from '../../states.ts'
import { severities, severityKinds } from '../../rules.ts'
import { refreshAlerts } from './fresh.ts'
import { ZoneChoice } from './ZoneChoice.tsx'

const PATH = '/municipality/manage/alerts/sources'
const refresh = () =>
  Promise.all([receivedAlerts.call, alertSources.call, showSource].map((endpoint) => reload(endpoint)))

/** Shows received external alerts, such as those of the National Weather Service, and the alert sources. */
export default function SourcesScreen() {
  const ofSources = useQueryParam('of') === 'sources'
  return (
    <>
      <ListFrame
        title={<Trans>External Alerts</Trans>}
        listed={true}
        tabs={
          <Sections>
            <Section to={PATH} active={!ofSources}>
              <Trans>Messages</Trans>
            </Section>
            <Section to={`${PATH}?of=sources`} active={ofSources}>
              <Trans>Sources</Trans>
            </Section>
          </Sections>
        }
        actions={
          <LinkButton to="/municipality/manage/alerts">
            <Trans>Municipal alerts</Trans>
          </LinkButton>
        }
      >
        {ofSources ? <Sources /> : <Messages />}
      </ListFrame>
    </>
  )
}

type Message = RowOf<typeof receivedAlerts>

function Messages() {
  const { t } = useLingui()
  const [messageToImport, setMessageToImport] = useState<Message | null>(null)
  const [dismissed, setDismissed] = useState<Message | null>(null)
  const [busy, setBusy] = useState(false)
  const move = async ({ id }: Message, event: 'release' | 'dismiss') => {
    setBusy(true)
    try {
      const { message, alertId } = await call(transitionReceivedAlert, { receivedId: id, event })
      toast(message)
      await refreshAlerts()
      if (alertId !== null) go(`/municipality/manage/alerts?alert=${alertId}`)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await refresh()
    setBusy(false)
    setMessageToImport(null)
    setDismissed(null)
  }
  return (
    <>
      <ListScreen
        of={receivedAlerts}
        level={2}
        rowName={({ headline }) => headline}
        actions={{ release: setMessageToImport, dismiss: setDismissed }}
        cells={{
          headline: ({ headline }) => <strong>{headline}</strong>,
          severity: ({ severity }, label) => <StatusBadge kind={severityKinds[severity]}>{label}</StatusBadge>,
          status: ({ status }) => <StateBadge of={receivedStates} state={status} />,
        }}
        empty={
          <EmptyState icon={Rss} title={t`No messages received yet`}>
            <Trans>Add a source, such as the National Weather Service feed for your county.</Trans>
          </EmptyState>
        }
      />
      {dismissed && (
        <ConfirmDialog
          title={t`Dismiss “${dismissed.headline}”?`}
          confirmLabel={<Trans>Dismiss</Trans>}
          busy={busy}
          onConfirm={() => void move(dismissed, 'dismiss')}
          onClose={() => setDismissed(null)}
        >
          {translated(receivedStates.steps.dismiss.confirm ?? '')}
        </ConfirmDialog>
      )}
      {messageToImport && (
        <ConfirmDialog
          title={t`Create an alert from “${messageToImport.headline}”?`}
          confirmLabel={<Trans>Create alert</Trans>}
          busy={busy}
          onConfirm={() => void move(messageToImport, 'release')}
          onClose={() => setMessageToImport(null)}
        >
          {messageToImport.type === 'Alert' ? (
            <Trans>This will create a draft alert. No one will receive it until you send it.</Trans>
          ) : (
            <Trans>
              If the alert that this message changes is active, its recipients will be notified immediately.
            </Trans>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}

type Source = RowOf<typeof alertSources>

function Sources() {
  const [removed, setRemoved] = useState<Source | null>(null)
  const [busy, setBusy] = useState(false)
  const isNew = useQueryParam('add') !== null
  const remove = async ({ id }: Source) => {
    setBusy(true)
    try {
      toast((await call(removeSource, { sourceId: id })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await refresh()
    setBusy(false)
    setRemoved(null)
  }
  const add = may('alerts', 'update') && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ add: '1' })}>
      <Trans>Add source</Trans>
    </Button>
  )
  const { t } = useLingui()
  return (
    <>
      <ListScreen
        of={alertSources}
        level={2}
        rowName={({ name }) => name}
        headActions={add}
        actions={{ edit: ({ id }) => setQuery({ source: String(id) }), remove: setRemoved }}
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          state: ({ state }, label) => (
            <StatusBadge kind={state === 'active' ? 'good' : 'neutral'}>{label}</StatusBadge>
          ),
        }}
        empty={
          <EmptyState icon={Rss} title={t`No sources yet`} action={add}>
            <Trans>Add a feed of CAP messages. The portal reads it every minute and processes each message once.</Trans>
          </EmptyState>
        }
      />
      {isNew && <EditSource id={null} onClose={() => setQuery({ add: null })} />}
      <QueryItem name="source">{(id, close) => <EditSource key={id} id={id} onClose={close} />}</QueryItem>
      {removed && (
        <ConfirmDialog
          title={t`Remove ${removed.name}?`}
          confirmLabel={<Trans>Remove source</Trans>}
          danger
          busy={busy}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(null)}
        >
          <Trans>
            The portal will stop reading this source and delete its messages. Alerts created from the messages will
            remain.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Usual names of events in messages of the National Weather Service. */
const EVENT_TYPES = [
  ...[
    'Air Quality Alert',
    'Blizzard Warning',
    'Coastal Flood Warning',
    'Evacuation Immediate',
    'Excessive Heat Warning',
  ],
  ...['Extreme Cold Warning', 'Fire Warning', 'Flash Flood Warning', 'Flash Flood Watch', 'Flood Advisory'],
  ...['Flood Warning', 'Flood Watch', 'Freeze Warning', 'Frost Advisory', 'Hazardous Materials Warning'],
  ...['Heat Advisory', 'High Wind Warning', 'Hurricane Warning', 'Hurricane Watch', 'Ice Storm Warning'],
  ...[
    'Red Flag Warning',
    'Severe Thunderstorm Warning',
    'Severe Thunderstorm Watch',
    'Tornado Warning',
    'Tornado Watch',
  ],
  ...[
    'Tropical Storm Warning',
    'Wind Advisory',
    'Winter Storm Warning',
    'Winter Storm Watch',
    'Winter Weather Advisory',
  ],
]

interface EditProps {
  /** Id of the alert source. Null for a new source. */
  id: number | null
  onClose: () => void
}

const EditSource = ({ id, onClose }: EditProps) => (
  <OnceLoaded
    title={<Trans>Alert source</Trans>}
    onClose={onClose}
    response={useResponse(showSource, { sourceId: id })}
    loading={<Trans>Loading source</Trans>}
  >
    {(loaded) => <Edit id={id} onClose={onClose} view={loaded} />}
  </OnceLoaded>
)

function Edit({ id, onClose, view }: EditProps & { view: ResponseOf<typeof showSource> }) {
  const { t } = useLingui()
  const form = useZodForm<SourceForm, SourceForm>(sourceForm, {
    defaultValues: view.form,
    ...(id !== null && { basis: { ...view.form } }),
    draft: { name: `alert-source-${id ?? 'new'}` },
  })
  const save = async (values: SourceForm) => {
    toast((await call(saveSource, { sourceId: id, form: values, basis: form.basis })).message)
    await refresh()
    onClose()
  }
  const service = form.choice('serviceId')
  const minSeverity = form.choice('minSeverity')
  const zones = form.choice('zoneIds')
  return (
    <FormSlideOut
      title={id === null ? <Trans>Add source</Trans> : view.form.name}
      form={form}
      mayEdit={view.can.edit}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={t`Name`} autoComplete="off" maxLength={80} {...form.field('name')} />
      <TextField
        label={t`Feed address`}
        hint={t`Enter the address of an Atom feed with CAP messages, or of a CAP file. Example: https://api.weather.gov/alerts/active.atom?zone=PAC041`}
        inputMode="url"
        autoComplete="off"
        {...form.field('url')}
      />
      <TextRows
        label={t`Location codes`}
        hint={t`Codes of your county or zone from the National Weather Service, for example: PAC041 or 042041. If you enter no codes, the portal accepts a message with a mapped area only if the area includes an address in the municipality.`}
        optional
        addLabel={t`Add a code`}
        max={20}
        readOnly={!view.can.edit}
        {...rowsOfText(form.choice('codes'), { split: /[\s,;]+/, join: ', ' })}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="font-bold">
          <Trans>Zones</Trans>
        </legend>
        <p className="text-muted text-sm">
          <Trans>
            Optional. If you choose zones, the portal accepts a message with a mapped area only if the area includes an
            address in one of those zones.
          </Trans>
        </p>
        <ZoneChoice zones={view.zones} chosen={zones.value} onChange={zones.onChange} error={zones.error} />
      </fieldset>
      <TextRows
        label={t`Event types`}
        hint={t`For example: Flood Warning. If you enter no event types, all events are accepted.`}
        optional
        addLabel={t`Add an event type`}
        max={20}
        suggestions={EVENT_TYPES}
        readOnly={!view.can.edit}
        {...rowsOfText(form.choice('events'), { split: ',', join: ', ' })}
      />
      <Select
        label={t`Minimum severity`}
        options={optionsOf(severities)}
        {...minSeverity}
        onChange={({ target }) => minSeverity.onChange(target.value as SourceForm['minSeverity'])}
      />
      <Select
        label={t`Alert service`}
        options={view.services.map(({ id: value, name }) => ({ value: String(value), label: name }))}
        {...service}
        onChange={({ target }) => service.onChange(target.value)}
      />
      <Checkbox label={t`Send automatically, without staff review`} {...form.field('byItself')} />
      <Checkbox label={t`Read this source every minute`} {...form.field('isActive')} />
    </FormSlideOut>
  )
}
