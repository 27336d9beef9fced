import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Undo2 } from 'lucide-react'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { returnTownMap } from '../../../../shared/places.ts'
import { TownMap } from '../../../../web/places/TownMap.tsx'
import { useAnswer } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Checkbox, RadioCards, Select } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import type { alertEditor, AlertForm } from '../../contract-desk.ts'

interface Props {
  form: ZodForm<AlertForm, AlertForm>
  editor: AnswerOf<typeof alertEditor>
}

/** Whom an alert is for. Zones are chosen from a list, too, and a map shows what is meant. */
export function AreaField({ form, editor }: Props) {
  const { t } = useLingui()
  const kind = form.choice('area.kind')
  return (
    <>
      <RadioCards
        label={t`For whom`}
        options={[
          {
            value: 'everyone',
            label: t`Everybody`,
            note: t`Of those who want alerts of this service.`,
          },
          { value: 'zones', label: t`Zones of the town`, note: t`Whoever lives in them or has an account there.` },
          { value: 'drawn', label: t`An area on the map`, note: t`You say its corners.` },
          { value: 'form', label: t`Those who sent a form`, note: t`As all who hold a dog license.` },
        ]}
        columns={2}
        {...kind}
      />
      {kind.value === 'zones' && <Zones form={form} editor={editor} />}
      {kind.value === 'drawn' && <Drawn form={form} />}
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
  const { t } = useLingui()
  const { value, onChange, error } = form.choice('area.zoneIds')
  const { data } = useAnswer(returnTownMap, {})
  if (editor.zones.length === 0)
    return (
      <p className="text-muted">
        <Trans>The town has no zones yet. They are imported under Places.</Trans>
      </p>
    )
  const outline = data?.zones.filter(({ id }) => value.includes(id)).flatMap((zone) => zone.outline) ?? []
  const kinds = [...new Set(editor.zones.map((zone) => zone.kind))]
  return (
    <div className="flex flex-col gap-4">
      {kinds.map((kind) => (
        <fieldset key={kind}>
          <legend className="mb-1 font-bold">{kind}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            {editor.zones
              .filter((zone) => zone.kind === kind)
              .map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={value.includes(id)}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...value, id] : value.filter((other) => other !== id))
                  }
                />
              ))}
          </div>
        </fieldset>
      ))}
      <Refusal>{error ?? null}</Refusal>
      <TownMap label={t`The zones that are chosen`} outline={outline} />
    </div>
  )
}

function Drawn({ form }: Pick<Props, 'form'>) {
  const { t } = useLingui()
  const { value, onChange, error } = form.choice('area.corners')
  return (
    <div className="flex flex-col gap-3">
      <TownMap
        label={t`The area of the alert`}
        outline={value.length > 2 ? [[value]] : []}
        marks={value.map(([lon, lat], at) => ({ id: at + 1, lat, lon, label: t`Corner ${at + 1}`, kind: 'neutral' }))}
        onPin={({ lat, lon }) => onChange([...value, [lon, lat]])}
      />
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="text-muted text-sm">
          <Plural
            value={value.length}
            _0="Put a pin on each corner, one after the other."
            one="# corner"
            other="# corners"
          />
        </p>
        <Button size="small" icon={Undo2} disabled={value.length === 0} onClick={() => onChange(value.slice(0, -1))}>
          <Trans>Take the last corner away</Trans>
        </Button>
      </div>
      <Refusal>{error ?? null}</Refusal>
    </div>
  )
}
