import { Trans, useLingui } from '@lingui/react/macro'
import { isBuilt } from '../../../../shared/screens.ts'
import { translated } from '../../../../shared/messages.ts'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { moduleUrls } from '../../../../shared/modules.ts'
import { labelOf } from '../../report.ts'
import { Group, Tick, type SectionFields } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

/** Section for the portal modules that the company uses. The platform can lock a module. */
export const ModulesSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="modules"
    title={<Trans>Modules</Trans>}
    lead={
      <Trans>Choose which modules residents can find in the header and open. A disabled module keeps its data.</Trans>
    }
  >
    {(form) => (
      <>
        {moduleUrls.map((url) => (
          <Tick
            key={url}
            form={form}
            name={url}
            hint={
              isBuilt(url) ? undefined : (
                <Trans>Not available yet. Residents will see it when it becomes available.</Trans>
              )
            }
          />
        ))}
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

function Locks({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  const { value, onChange } = form.choice('locked')
  const locked = (value ?? []) as readonly string[]
  return moduleUrls.map((url) => (
    <Checkbox
      key={url}
      label={t`Lock ${translated(labelOf(url))}`}
      checked={locked.includes(url)}
      onChange={({ currentTarget }) =>
        onChange(moduleUrls.filter((each) => (each === url ? currentTarget.checked : locked.includes(each))))
      }
    />
  ))
}
