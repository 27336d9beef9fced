import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useContext, useState } from 'react'
import { typePhone } from '../../../../shared/phone.ts'
import { useResponse } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { StateField, TextArea, TextField, ZipField } from '../../../../web/ui/TextField.tsx'
import type { Bound } from '../../../../web/ui/form.ts'
import { TextRows } from '../../../../web/ui/TextRows.tsx'
import { labelOf } from '../../report.ts'
import { MAX_TAGS, monthNames, type CompanyConfig } from '../../rules.ts'
import { timeZones } from '../../../companies/contract.ts'
import { NAME_TAKEN, SUBDOMAIN_TAKEN } from '../../../companies/rules.ts'
import { hostOf, namesFor } from '../company-form.ts'
import { OnlineSelect } from '../OnlineSelect.tsx'
import { type Uniqueness, useIsFree } from '../uniqueness.ts'
import { Group, Own, Reserved, Text, Tick, YesNo, type SectionFields } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

/** Section for the name, address and online status of the company. The platform sets most of them. */
export function DetailsSection({ companyConfig }: SectionProps) {
  const [names] = useState(() => namesFor(companyConfig.company.id))
  return (
    <SectionForm
      companyConfig={companyConfig}
      section="details"
      title={<Trans>Details</Trans>}
      toFormValues={toFormValues}
    >
      {(form) => <Fields form={form} names={names} details={companyConfig.config.details} />}
    </SectionForm>
  )
}

const toFormValues = (stored: Record<string, unknown>) => ({
  ...stored,
  phone_no: typePhone(String(stored['phone_no'])),
})

interface FieldsProps {
  form: SectionFields
  names: { name: Uniqueness; subdomain: Uniqueness }
  details: CompanyConfig['details']
}

function Fields({ form, names, details }: FieldsProps) {
  const { t } = useLingui()
  const isReserved = useContext(Reserved).includes('timezone_id')
  const zones = useResponse(timeZones, {}, { enabled: !isReserved })
  return (
    <>
      <Group title={isReserved ? <Trans>Website</Trans> : <Trans>Name and web address</Trans>}>
        <Own names={['name', 'subdomain']}>
          <Unique form={form} name="name" uniqueness={names.name} taken={NAME_TAKEN} />
          <Unique
            form={form}
            name="subdomain"
            uniqueness={names.subdomain}
            taken={SUBDOMAIN_TAKEN}
            hint={
              <Trans>
                The municipality's web address: {hostOf(String(form.watch('subdomain')).toLowerCase(), location.host)}
              </Trans>
            }
          />
        </Own>
        <Text form={form} name="website_url" hint={t`Example: www.mapletown.gov`} />
      </Group>
      <Group title={<Trans>City hall</Trans>}>
        <Text form={form} name="address1" />
        <Text form={form} name="address2" optional />
        <Text form={form} name="city" />
        <div className="grid grid-cols-2 items-start gap-4">
          <StateField label={labelOf('state')} {...form.field('state')} autoComplete="off" />
          <ZipField label={labelOf('zipcode')} {...form.field('zipcode')} autoComplete="off" />
        </div>
        <PhoneField {...form.field('phone_no')} autoComplete="off" />
        <Own names={['timezone_id']}>
          <Select
            label={labelOf('timezone_id')}
            options={(zones.data?.timeZones ?? []).map(({ id, label }) => ({ value: id, label }))}
            // A new key renders the field again when the choices arrive, because they load after the value.
            key={zones.data ? 'zones' : 'none'}
            disabled={!zones.data}
            {...form.field('timezone_id')}
          />
        </Own>
        <Select
          label={labelOf('fiscal_month')}
          hint={t`Reports use this month for the “Fiscal year” date range.`}
          options={Object.entries(monthNames).map(([value, label]) => ({ value, label }))}
          {...form.field('fiscal_month')}
        />
      </Group>
      <Group title={<Trans>Online status</Trans>}>
        <Own names={['is_online']}>
          <OnlineSelect field={form.choice('is_online')} closing={details.is_online === 1 ? details.name : null} />
        </Own>
        <TextArea
          label={labelOf('offline_msg')}
          hint={t`Enter the reason and when the portal will be back online. Residents see this message instead of the pages.`}
          optional
          rows={3}
          {...form.field('offline_msg')}
        />
      </Group>
      <Group title={<Trans>Contract</Trans>} names={['license_no', 'is_demo', 'tags']}>
        <Text form={form} name="license_no" optional />
        <YesNo form={form} name="use_dbilling" />
        <YesNo form={form} name="is_managed_services" />
        <Tick form={form} name="online_reserved" />
        <Tick form={form} name="has_chk_agnst_prcl" />
        <Tick form={form} name="is_demo" />
        <Own names={['tags']}>
          <TextRows
            label={labelOf('tags')}
            hint={t`Tags are used only in the platform's own lists.`}
            optional
            addLabel={t`Add a tag`}
            max={MAX_TAGS}
            errorAt={(at) => form.field(`tags.${at}`).error}
            {...(form.choice('tags') as Bound<string[]>)}
          />
        </Own>
      </Group>
    </>
  )
}

interface UniqueProps {
  form: SectionFields
  name: 'name' | 'subdomain'
  uniqueness: Uniqueness
  taken: string
  hint?: ReactNode
}

/**
 * Field for a unique value. Shows an error if another company uses the value, after a pause in typing. The server
 * checks again on save.
 */
function Unique({ form, name, uniqueness, taken, hint }: UniqueProps) {
  const text = String(form.watch(name))
  const free = useIsFree(uniqueness, text, (isFree) => {
    if (!isFree) form.setError(name, { type: 'taken', message: taken })
  })
  const { error, ...field } = form.field(name)
  return (
    <TextField
      label={labelOf(name)}
      {...(hint !== undefined && { hint })}
      autoComplete="off"
      {...(name === 'subdomain' && { autoCapitalize: 'none', spellCheck: false })}
      {...field}
      error={free === false ? taken : error === taken ? undefined : error}
    />
  )
}
