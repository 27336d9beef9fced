import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useResponse } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { SelectWithSearch } from '../../../web/ui/office/SelectWithSearch.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { StateField, TextField, ZipField } from '../../../web/ui/TextField.tsx'
import { timeZones } from '../../companies/contract.ts'
import { isSubdomain } from '../../companies/rules.ts'
import { type CompanyOutput, type CompanyValues, hostOf, type Names, subdomainFor } from './company-form.ts'
import { OnlineSelect } from './OnlineSelect.tsx'
import { useIsFree } from './uniqueness.ts'

interface FieldsProps {
  form: ZodForm<CompanyValues, CompanyOutput>
  names: Names
}

interface CompanyFieldsProps extends FieldsProps {
  /** Name of an online company, which the form may take offline. */
  closing?: string | null
  isNew?: boolean
}

/** Fields of the create and edit forms (spec 2.14). */
export function CompanyFields({ form, names, closing = null, isNew = false }: CompanyFieldsProps) {
  const { t } = useLingui()
  const zones = useResponse(timeZones, {})
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
      <UniqueName form={form} names={names} isNew={isNew} />
      <TextField label={t`Company Address`} autoComplete="off" {...form.field('address')} />
      <TextField label={t`City`} autoComplete="off" {...form.field('city')} />
      <div className="grid grid-cols-2 items-start gap-4">
        <StateField hint={t`Two letters`} autoComplete="off" {...form.field('state')} />
        <ZipField label={t`Zip Code`} hint={t`Five digits`} autoComplete="off" {...form.field('zip')} />
      </div>
      <PhoneField hint="xxx-xxx-xxxx" autoComplete="off" {...form.field('phone')} />
      <TextField
        label={t`Company Website`}
        hint={t`Example: www.mapletown.gov`}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        {...form.field('companyWebsite')}
      />
      <UniqueSubdomain form={form} names={names} address={hostOf(subdomain, location.host)} />
      <SelectWithSearch
        label={t`Company Timezone`}
        placeholder={zones.isPending ? t`Loading time zones` : t`Choose one`}
        options={(zones.data?.timeZones ?? []).map(({ id, label }) => ({ value: id, label }))}
        {...(form.choice('timeZone') as {
          value: number | null
          onChange: (id: number) => void
          error: string | undefined
        })}
        disabled={!zones.data}
        {...(zones.error && { error: t`Could not load the time zones. Close this panel and try again.` })}
      />
      <OnlineSelect field={form.choice('online')} closing={closing} />
      <Select
        label={t`Integrates with Billing System`}
        hint={t`Choose Yes if the bills come from a billing system, also as files.`}
        {...yesNo}
        {...form.field('intrigratesWithBilling')}
      />
      <Select
        label={t`Managed Services Client`}
        hint={t`Choose Yes if only Mainstreet turns the portal online or offline.`}
        {...yesNo}
        {...form.field('isManagedServices')}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <TextField type="time" label={t`Office opens`} {...form.field('officeHoursOpen')} />
        <TextField type="time" label={t`Office closes`} {...form.field('officeHoursClosed')} />
      </div>
    </>
  )
}

/**
 * Field for a unique name. Shows an error if the name is taken, after a pause in typing. The subdomain of a new company
 * follows the name, until the person types another subdomain.
 */
function UniqueName({ form, names, isNew }: FieldsProps & { isNew: boolean }) {
  const { t } = useLingui()
  const free = useIsFree(names.name, form.watch('companyName'), () => void form.trigger('companyName'))
  const { onChange, ...field } = form.field('companyName')
  const isSuggested = () => form.getValues('subdomain') === subdomainFor(form.getValues('companyName'))
  return (
    <TextField
      label={t`Company Name`}
      autoComplete="off"
      after={<Free free={free} />}
      {...field}
      onChange={(event) => {
        const follows = isNew && isSuggested()
        void onChange(event)
        if (follows) form.setValue('subdomain', subdomainFor(event.target.value), { shouldDirty: true })
      }}
    />
  )
}

function UniqueSubdomain({ form, names, address }: FieldsProps & { address: string }) {
  const { t } = useLingui()
  const free = useIsFree(names.subdomain, form.watch('subdomain'), () => void form.trigger('subdomain'))
  return (
    <TextField
      label={t`SubDomain`}
      hint={<Trans>Use lowercase letters, digits and dashes. The municipality's web address: {address}</Trans>}
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="off"
      after={<Free free={free && isSubdomain(form.watch('subdomain').trim().toLowerCase())} />}
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
