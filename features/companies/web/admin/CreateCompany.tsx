import { Trans, useLingui } from '@lingui/react/macro'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { call, sentenceOf } from '../../../../web/call.ts'
import { reload, useAnswer } from '../../../../web/query.ts'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Dialog, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { forgetDraft, useZodForm, type ZodForm } from '../../../../web/ui/form.ts'
import { SelectWithSearch } from '../../../../web/ui/office/SelectWithSearch.tsx'
import { PhoneField, StateField, TextField, ZipField } from '../../../../web/ui/TextField.tsx'
import { companiesInformation, createCompany, timeZones } from '../../contract.ts'
import {
  askingCompanyForm,
  blank,
  type CompanyOutput,
  type CompanyValues,
  hostOf,
  names,
  subdomains,
} from './company-form.ts'
import { useIsFree } from './uniqueness.ts'

type Created = AnswerOf<typeof createCompany>
type Outcome = { created: Created } | { refusal: string }

/** Adds a municipality (specification 2.14, 4.11, 5.2). What is typed outlives errors, closing and a reload. */
export function CreateCompany({ onClose }: { onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const form = useZodForm(askingCompanyForm, { defaultValues: blank, draft: { name: 'create-company' } })
  const { isSubmitting } = form.formState

  const create = async (values: CompanyOutput) => {
    try {
      setOutcome({ created: await call(createCompany, values) })
      void reload(companiesInformation)
    } catch (error) {
      setOutcome({ refusal: sentenceOf(error) })
      throw error
    } finally {
      // What was known of these names may just have changed.
      names.forget()
      subdomains.forget()
    }
  }
  return (
    <>
      <SlideOut
        title={<Trans>Create Company</Trans>}
        onClose={onClose}
        locked={isSubmitting}
        actions={
          <>
            <Button
              type="submit"
              form="create-company"
              look="primary"
              busy={isSubmitting}
              busyLabel={<Trans>Saving...</Trans>}
            >
              <Trans>Save</Trans>
            </Button>
            <Button
              disabled={isSubmitting}
              onClick={() => {
                forgetDraft(form)
                onClose()
              }}
            >
              <Trans>Discard</Trans>
            </Button>
          </>
        }
      >
        <Form id="create-company" form={form} onSubmit={create}>
          <Fields form={form} />
        </Form>
      </SlideOut>
      {outcome && 'refusal' in outcome && <Refused sentence={outcome.refusal} onClose={() => setOutcome(null)} />}
      {outcome && 'created' in outcome && <Success {...outcome.created} onClose={onClose} />}
    </>
  )
}

interface FieldsProps {
  form: ZodForm<CompanyValues, CompanyOutput>
}

function Fields({ form }: FieldsProps) {
  const { t } = useLingui()
  const zones = useAnswer(timeZones, {})
  const yesNo = {
    placeholder: t`Choose one`,
    options: [
      { value: 1, label: t`Yes` },
      { value: 0, label: t`No` },
    ],
  }
  const subdomain = form.watch('subdomain').trim().toLowerCase()
  return (
    <>
      <UniqueName form={form} />
      <TextField label={t`Company Address`} autoComplete="off" {...form.field('address')} />
      <TextField label={t`City`} autoComplete="off" {...form.field('city')} />
      <div className="grid grid-cols-2 items-start gap-4">
        <StateField hint={t`Two letters`} autoComplete="off" {...form.field('state')} />
        <ZipField label={t`Zip Code`} hint={t`Five digits`} autoComplete="off" {...form.field('zip')} />
      </div>
      <PhoneField hint="xxx-xxx-xxxx" autoComplete="off" {...form.field('phone')} />
      <TextField
        label={t`Company Website`}
        hint={t`Such as www.mapletown.gov`}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        {...form.field('companyWebsite')}
      />
      <UniqueSubdomain form={form} address={hostOf(subdomain, location.host)} />
      <SelectWithSearch
        label={t`Company Timezone`}
        placeholder={zones.isPending ? t`Loading the timezones` : t`Choose one`}
        options={(zones.data?.timeZones ?? []).map(({ id, label }) => ({ value: id, label }))}
        {...(form.choice('timeZone') as {
          value: number | null
          onChange: (id: number) => void
          error: string | undefined
        })}
        disabled={!zones.data}
        {...(zones.error && { error: t`The timezones could not be loaded. Close this and try again.` })}
      />
      <Select
        label={t`Is Online`}
        hint={t`Residents see the town's pages only while it is online.`}
        {...yesNo}
        {...form.field('online')}
      />
      <Select label={t`Integrates with Billing System`} {...yesNo} {...form.field('intrigratesWithBilling')} />
      <Select label={t`Managed Services Client`} {...yesNo} {...form.field('isManagedServices')} />
      <div className="grid grid-cols-2 items-start gap-4">
        <TextField type="time" label={t`Office opens`} {...form.field('officeHoursOpen')} />
        <TextField type="time" label={t`Office closes`} {...form.field('officeHoursClosed')} />
      </div>
    </>
  )
}

/** Says under the field that the name is taken, as soon as the typing pauses. */
function UniqueName({ form }: FieldsProps) {
  const { t } = useLingui()
  const free = useIsFree(names, form.watch('companyName'), () => void form.trigger('companyName'))
  return (
    <TextField label={t`Company Name`} autoComplete="off" after={<Free free={free} />} {...form.field('companyName')} />
  )
}

function UniqueSubdomain({ form, address }: FieldsProps & { address: string }) {
  const { t } = useLingui()
  const free = useIsFree(subdomains, form.watch('subdomain'), () => void form.trigger('subdomain'))
  return (
    <TextField
      label={t`SubDomain`}
      hint={<Trans>Lower-case letters, digits and dashes. The town's address: {address}</Trans>}
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="off"
      after={<Free free={free} />}
      {...form.field('subdomain')}
    />
  )
}

const Free = ({ free }: { free: boolean | null }): ReactNode =>
  free ? (
    <span className="pe-2 font-bold text-success text-xs">
      <Trans>Free</Trans>
    </span>
  ) : null

const Refused = ({ sentence, onClose }: { sentence: string; onClose: () => void }) => (
  <Dialog
    title={<Trans>Error</Trans>}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        <Trans>Back to the form</Trans>
      </Button>
    }
  >
    <p>{sentence}</p>
  </Dialog>
)

const Success = ({ message, url, onClose }: Created & { onClose: () => void }) => (
  <Dialog
    title={<Trans>Success</Trans>}
    onClose={onClose}
    actions={
      <>
        <LinkButton to={url} target="_blank" look="primary" icon={ExternalLink}>
          <Trans>Open the town's site</Trans>
        </LinkButton>
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </>
    }
  >
    <p>{message}</p>
    <p className="mt-2 text-muted">
      <Trans>Its site answers at {url} now.</Trans>
    </p>
  </Dialog>
)
