import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { typePhone } from '../../../../shared/phone.ts'
import { call, sentenceOf } from '../../../../web/call.ts'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { editCompany, returnConfig } from '../../../town-config/contract.ts'
import type { TownConfig } from '../../../town-config/rules.ts'
import { companiesInformation } from '../../contract.ts'
import { askingCompanyForm, type CompanyOutput, type CompanyValues, namesFor } from './company-form.ts'
import { CompanyFields } from './CompanyFields.tsx'
import { CompanySlideOut, Done, Refused, Waiting } from './CompanySlideOut.tsx'

interface EditCompanyProps {
  companyId: number
  name: string
  onClose: () => void
}

/** Edits a municipality beside the list (specification 2.13, 2.14). */
export default function EditCompany({ companyId, name, onClose }: EditCompanyProps) {
  const { data, error, refetch } = useAnswer(returnConfig, { companyId })
  const title = <Trans>Edit {name}</Trans>
  if (!data)
    return (
      <Waiting title={title} onClose={onClose}>
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingState>
            <Trans>Loading the company</Trans>
          </LoadingState>
        )}
      </Waiting>
    )
  return <EditForm companyId={companyId} config={data.config as unknown as TownConfig} name={name} onClose={onClose} />
}

const valuesOf = ({ details, hours }: TownConfig): CompanyValues => ({
  ...{ companyName: details.name, address: details.address1, city: details.city, state: details.state },
  ...{ zip: details.zipcode, phone: typePhone(details.phone_no), companyWebsite: details.website_url },
  ...{ subdomain: details.subdomain, timeZone: details.timezone_id, online: details.is_online },
  ...{ intrigratesWithBilling: details.use_dbilling, isManagedServices: details.is_managed_services },
  ...{ officeHoursOpen: hours.office_hours_open, officeHoursClosed: hours.office_hours_closed },
})

function EditForm({ companyId, config, name, onClose }: EditCompanyProps & { config: TownConfig }) {
  const [{ names, schema }] = useState(() => {
    const asked = namesFor(companyId)
    return { names: asked, schema: askingCompanyForm(asked) }
  })
  const [outcome, setOutcome] = useState<{ done: string } | { refusal: string } | null>(null)
  const form = useZodForm(schema, { defaultValues: valuesOf(config), draft: { name: `edit-company-${companyId}` } })
  const save = async (values: CompanyOutput) => {
    try {
      const { message } = await call(editCompany, { companyId, ...values })
      setOutcome({ done: message })
      void reload(companiesInformation)
      void reload(returnConfig)
    } catch (error) {
      setOutcome({ refusal: sentenceOf(error) })
      throw error
    }
  }
  return (
    <>
      <CompanySlideOut id="edit-company" title={<Trans>Edit {name}</Trans>} form={form} onSave={save} onClose={onClose}>
        <CompanyFields form={form} names={names} closing={config.details.is_online === 1 ? name : null} />
      </CompanySlideOut>
      {outcome && 'refusal' in outcome && <Refused sentence={outcome.refusal} onClose={() => setOutcome(null)} />}
      {outcome && 'done' in outcome && <Done sentence={outcome.done} onClose={onClose} />}
    </>
  )
}
