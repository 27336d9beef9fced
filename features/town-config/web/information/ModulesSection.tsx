import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type ModuleUrl, moduleUrls } from '../../../../shared/modules.ts'
import { translated } from '../../../../shared/messages.ts'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { labelOf } from '../../report.ts'
import { Group, Tick, type SectionFields } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

const isOfOffice = (url: ModuleUrl) => url.startsWith('/municipality')

/** Section for the portal modules that the company uses. The platform can lock a module. */
export const ModulesSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="modules"
    title={<Trans>Modules</Trans>}
    lead={
      <Trans>
        A module that is off disappears from the portal, with its links and pages. Staff can still complete open
        records. No data is deleted.
      </Trans>
    }
  >
    {(form) => (
      <>
        <Ticks form={form} title={<Trans>For residents</Trans>} urls={moduleUrls.filter((url) => !isOfOffice(url))} />
        <Ticks form={form} title={<Trans>For the office</Trans>} urls={moduleUrls.filter(isOfOffice)} />
        <Group title={<Trans>Locked modules</Trans>} names={['locked']}>
          <p className="text-muted text-sm">
            <Trans>The municipality cannot turn a locked module on or off.</Trans>
          </p>
          <Locks form={form} />
        </Group>
      </>
    )}
  </SectionForm>
)

function Ticks({ form, title, urls }: { form: SectionFields; title: ReactNode; urls: readonly ModuleUrl[] }) {
  return (
    <Group title={title} names={urls}>
      <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {urls.map((url) => (
          <Tick key={url} form={form} name={url} />
        ))}
      </div>
    </Group>
  )
}

function Locks({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  const { value, onChange } = form.choice('locked')
  const locked = (value ?? []) as readonly string[]
  return (
    <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {moduleUrls.map((url) => (
        <Checkbox
          key={url}
          label={t`Lock ${translated(labelOf(url))}`}
          checked={locked.includes(url)}
          onChange={({ currentTarget }) =>
            onChange(moduleUrls.filter((each) => (each === url ? currentTarget.checked : locked.includes(each))))
          }
        />
      ))}
    </div>
  )
}
