import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { Group, type SectionFields } from './fields.tsx'
import { EntryList } from '../../../../web/ui/office/EntryList.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

const MAX_ALERTS = 50

/** Section for the alert kinds that residents can receive (spec 9.4). */
export const AlertsSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="alerts"
    title={<Trans>Alert services</Trans>}
    lead={<Trans>Services that residents can get alerts about. Each name must have at least three characters.</Trans>}
  >
    {(form) => (
      <>
        <Kind form={form} name="alerts" title={<Trans>Alert services</Trans>} />
        <Kind form={form} name="essentials" title={<Trans>Essential services</Trans>} />
        <Kind form={form} name="others" title={<Trans>Other services</Trans>} />
      </>
    )}
  </SectionForm>
)

const Kind = ({ form, name, title }: { form: SectionFields; name: string; title: ReactNode }) => (
  <Group title={title}>
    <EntryList
      form={form}
      name={name}
      blank={{ name: '' }}
      max={MAX_ALERTS}
      addLabel={<Trans>Add a service</Trans>}
      emptyLabel={<Trans>No services yet.</Trans>}
      entryName={(at) => String(form.watch(`${name}.${at}.name`) ?? '') || `${at + 1}`}
    >
      {(path) => <TextField label={<Trans>Service name</Trans>} {...form.field(`${path}.name`)} />}
    </EntryList>
  </Group>
)
