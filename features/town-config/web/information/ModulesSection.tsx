import { Trans } from '@lingui/react/macro'
import { isBuilt } from '../../../../shared/screens.ts'
import { modules } from '../../../companies/rules.ts'
import { Tick } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

/** Modules of the portal that the company uses. */
export const ModulesSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="modules"
    title={<Trans>Modules</Trans>}
    lead={<Trans>What residents find in the header and may open. A module that is off keeps what it holds.</Trans>}
  >
    {(form) =>
      modules.map((url) => (
        <Tick
          key={url}
          form={form}
          name={url}
          hint={isBuilt(url) ? undefined : <Trans>Not available yet: residents see it once it is.</Trans>}
        />
      ))
    }
  </SectionForm>
)
