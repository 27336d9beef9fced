import { Trans } from '@lingui/react/macro'
import { isBuilt } from '../../../../shared/screens.ts'
import { modules } from '../../../companies/rules.ts'
import { Tick } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

/** Section for the portal modules that the company uses. */
export const ModulesSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="modules"
    title={<Trans>Modules</Trans>}
    lead={
      <Trans>Choose which modules residents can find in the header and open. A disabled module keeps its data.</Trans>
    }
  >
    {(form) =>
      modules.map((url) => (
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
      ))
    }
  </SectionForm>
)
