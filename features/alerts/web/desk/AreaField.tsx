import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { Checkbox, RadioCards, Select } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import type { alertEditor, AlertForm } from '../../contract-staff.ts'
import { AreaPart } from './AreaPart.tsx'
import { DrawnAreas } from './DrawnAreas.tsx'
import { ZoneChoice } from './ZoneChoice.tsx'

interface Props {
  form: ZodForm<AlertForm, AlertForm>
  editor: ResponseOf<typeof alertEditor>
}

/**
 * Selects the recipients of an alert: everyone, zones, drawn areas, routes or people who submitted a form. A map shows
 * zones and drawn areas.
 */
export function AreaField({ form, editor }: Props) {
  const { t } = useLingui()
  const kind = form.choice('area.kind')
  return (
    <>
      <RadioCards
        label={t`Recipients`}
        options={[
          {
            value: 'everyone',
            label: t`Everyone`,
            note: t`Everyone who receives alerts from this service.`,
          },
          {
            value: 'zones',
            label: t`Zones`,
            note: t`Residents who live in the selected zones or have an account there.`,
          },
          {
            value: 'drawn',
            label: t`Areas on the map`,
            note: t`A circle around an address, or an area that you outline on the map.`,
          },
          {
            value: 'routes',
            label: t`Accounts on a route`,
            note: t`Residents with a linked utility account on one of the selected routes.`,
          },
          {
            value: 'form',
            label: t`People who submitted a form`,
            note: t`For example, all applicants for a dog license.`,
          },
        ]}
        columns={2}
        {...kind}
      />
      {kind.value === 'zones' && <Zones form={form} editor={editor} />}
      {kind.value === 'drawn' && <DrawnAreas form={form} />}
      {kind.value === 'routes' && <Routes form={form} editor={editor} />}
      {kind.value === 'form' && (
        <Select
          label={t`Form`}
          placeholder={t`Choose a form`}
          options={editor.forms.map(({ id, title }) => ({ value: String(id), label: title }))}
          {...form.field('area.formTypeId')}
        />
      )}
    </>
  )
}

function Zones({ form, editor }: Props) {
  const { value, onChange, error } = form.choice('area.zoneIds')
  return <ZoneChoice zones={editor.zones} chosen={value} onChange={onChange} error={error} />
}

function Routes({ form, editor }: Props) {
  const { value, onChange, error } = form.choice('area.routes')
  const { t } = useLingui()
  if (editor.routes.length === 0)
    return (
      <p className="text-muted">
        <Trans>No account has a route yet. Routes come from the “route” column in the billing file.</Trans>
      </p>
    )
  return (
    <AreaPart error={error}>
      <fieldset>
        <legend className="mb-1 font-bold">
          <Trans>Routes</Trans>
        </legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {editor.routes.map(({ name, linked }) => (
            <Checkbox
              key={name}
              label={t`${name} (${plural(linked, { one: '# resident', other: '# residents' })})`}
              checked={value.includes(name)}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, name] : value.filter((other) => other !== name))
              }
            />
          ))}
        </div>
      </fieldset>
    </AreaPart>
  )
}
