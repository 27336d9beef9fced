import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { currentSession } from '../../../web/session.ts'
import { Button, IconButton } from '../../../web/ui/Button.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { FieldError } from '../../../web/ui/Field.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, messageAt, useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { translated } from '../../../shared/messages.ts'
import { type FlowTestForm as Values, flowTestForm, recordFlowTest } from '../contract.ts'
import { classLabels, classOf, coefficientLabels, dropOf, dropMessages, flowOf, pumperCoefficient } from '../rules.ts'
import { type HydrantDetails, reloadHydrants } from './fresh.ts'
import { Text } from '../../../web/ui/Text.tsx'
import * as z from 'zod/mini'

type OutletValues = Values['outlets'][number]
const blankOutlet: OutletValues = { diameterInches: '2.5', coefficient: '0.9', pitotPsi: '' }

/** Form for the measurements of a flow test. It shows the result as the tester types. */
export function FlowTestForm({
  hydrant,
  onClose,
  onRecord,
}: {
  hydrant: Pick<HydrantDetails, 'id' | 'form'>
  onClose: () => void
  /** Replaces the call to the server. In the field, the test waits on the phone for a connection. */
  onRecord?: (values: Values) => Promise<void>
}) {
  const { t } = useLingui()
  const form = useZodForm(flowTestForm, {
    defaultValues: {
      testedOn: page().today,
      testedBy: currentSession()?.profileName ?? '',
      flowedAt: '',
      staticPsi: '',
      residualPsi: '',
      outlets: [blankOutlet],
      notes: '',
    },
    draft: { name: `flow-test:${hydrant.id}` },
  })
  const residual = form.field('residualPsi')
  const [staticPsi, residualPsi] = [form.watch('staticPsi'), form.watch('residualPsi')]
  const tooHigh =
    staticPsi !== '' && residualPsi !== '' && Number(residualPsi) >= Number(staticPsi)
      ? t`Enter a pressure below the static pressure.`
      : undefined
  const save = async (values: Values) => {
    if (onRecord) await onRecord(values)
    else toast((await call(recordFlowTest, { ...values, hydrantId: hydrant.id })).message)
    forgetDraft(form)
    await reloadHydrants()
    onClose()
  }
  return (
    <FormSlideOut
      title={<Trans>Flow test for hydrant {hydrant.form.number}</Trans>}
      form={form}
      save={<Trans>Record flow test</Trans>}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField label={t`Test date`} {...form.field('testedOn')} />
        <TextField label={t`Tested by`} autoComplete="off" {...form.field('testedBy')} />
        <TextField
          label={t`Static pressure, psi`}
          hint={t`Measured before the water flows`}
          inputMode="decimal"
          {...form.field('staticPsi')}
        />
        <TextField
          label={t`Residual pressure, psi`}
          hint={t`Measured while water is flowing`}
          inputMode="decimal"
          {...residual}
          error={residual.error ?? tooHigh}
        />
      </div>
      <Outlets form={form} />
      <Result values={form.watch()} />
      <TextField
        label={t`Flow location`}
        optional
        hint={t`Enter the location only if water flowed from another hydrant.`}
        autoComplete="off"
        {...form.field('flowedAt')}
      />
      <TextArea label={t`Notes`} optional rows={3} {...form.field('notes')} />
    </FormSlideOut>
  )
}

function Outlets({ form }: { form: ZodForm<z.input<typeof flowTestForm>, Values> }) {
  const { t } = useLingui()
  const { value: outlets, onChange: setOutlets, error } = form.choice('outlets')
  const change = (at: number, part: Partial<OutletValues>) =>
    setOutlets(outlets.map((outlet, n) => (n === at ? { ...outlet, ...part } : outlet)))
  const errorOf = (n: number, field: keyof OutletValues) => messageAt(form.formState.errors, `outlets.${n}.${field}`)
  return (
    <>
      <ol className="flex flex-col gap-4">
        {outlets.map((outlet, n) => (
          // Outlets have no id, so the index is the key.
          <li key={n} className="rounded-sm border border-line p-3">
            <div className="flex items-center justify-between">
              <strong>
                <Trans>Outlet {n + 1}</Trans>
              </strong>
              {outlets.length > 1 && (
                <IconButton
                  icon={Trash2}
                  label={t`Remove outlet ${n + 1}`}
                  onClick={() => setOutlets(outlets.filter((_, at) => at !== n))}
                />
              )}
            </div>
            <div className="grid grid-cols-2 items-start gap-4">
              <TextField
                label={t`Diameter, inches`}
                inputMode="decimal"
                value={outlet.diameterInches}
                onChange={({ target }) => change(n, { diameterInches: target.value })}
                error={errorOf(n, 'diameterInches')}
              />
              <TextField
                label={t`Pitot, psi`}
                inputMode="decimal"
                value={outlet.pitotPsi}
                onChange={({ target }) => change(n, { pitotPsi: target.value })}
                error={errorOf(n, 'pitotPsi')}
              />
            </div>
            <PumperNote outlet={outlet} />
            <Select
              className="mt-3"
              label={t`Coefficient`}
              value={outlet.coefficient}
              onChange={({ target }) => change(n, { coefficient: target.value as OutletValues['coefficient'] })}
              options={Object.entries(coefficientLabels).map(([value, label]) => ({
                value,
                label: translated(label),
              }))}
              error={errorOf(n, 'coefficient')}
            />
          </li>
        ))}
      </ol>
      <FieldError id="outlets">{error}</FieldError>
      {outlets.length < 6 && (
        <Button size="small" icon={Plus} className="self-start" onClick={() => setOutlets([...outlets, blankOutlet])}>
          <Trans>Add an outlet</Trans>
        </Button>
      )}
    </>
  )
}

/** Explains that only part of the computed flow of a pumper outlet counts (NFPA 291, table 4.8.2). */
function PumperNote({ outlet }: { outlet: OutletValues }) {
  const [diameterInches, pitotPsi] = [Number(outlet.diameterInches), Number(outlet.pitotPsi)]
  const share = pumperCoefficient({ diameterInches, pitotPsi })
  if (outlet.pitotPsi === '' || !(share < 1)) return null
  return (
    <p role="status" className="mt-2 text-muted text-sm">
      <Trans>Pumper outlet: only {Math.round(share * 100)}% of the computed flow is counted.</Trans>
    </p>
  )
}

/** Flow calculated from the values typed so far, by the same rules as on the server. */
function Result({ values }: { values: Values }) {
  const read = flowTestForm.safeParse({ ...values, testedBy: values.testedBy || '-' })
  if (!read.success)
    return (
      <p role="status" className="rounded-sm border border-dashed border-edge p-3 text-muted">
        <Trans>The flow at 20 psi appears here after you enter all readings.</Trans>
      </p>
    )
  const [staticPsi, residualPsi] = [Number(read.data.staticPsi), Number(read.data.residualPsi)]
  const outlets = read.data.outlets.map(({ diameterInches, coefficient, pitotPsi }) => ({
    diameterInches: Number(diameterInches),
    coefficient: Number(coefficient),
    pitotPsi: Number(pitotPsi),
  }))
  const { flowGpm, availableGpm } = flowOf({ staticPsi, residualPsi, outlets })
  const drop = dropMessages[dropOf({ staticPsi, residualPsi })]
  return (
    <p role="status" className="rounded-sm border border-edge bg-tint p-3">
      <strong>
        <Trans>
          {availableGpm.toLocaleString('en-US')} GPM at 20 psi: class {translated(classLabels[classOf(availableGpm)])}
        </Trans>
      </strong>
      <br />
      <Trans>{flowGpm.toLocaleString('en-US')} GPM flowed.</Trans> <Text>{drop && translated(drop)}</Text>
    </p>
  )
}
