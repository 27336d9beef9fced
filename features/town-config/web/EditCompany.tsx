import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { typePhone } from '../../../shared/phone.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { editConflictOf, useZodForm } from '../../../web/ui/form.ts'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { editCompany, returnConfig } from '../contract.ts'
import { pencilFields, type CompanyConfig } from '../rules.ts'
import { companiesInformation } from '../../../shared/companies.ts'
import { askingCompanyForm, type CompanyOutput, type CompanyValues, namesFor } from './company-form.ts'
import { CompanyFields } from './CompanyFields.tsx'
import { CompanySlideOut, Done, Refused, LoadingSlideOut } from './CompanySlideOut.tsx'

interface EditCompanyProps {
  companyId: number
  onClose: () => void
}

/** Form to edit a company, in a slide-out next to the list (spec 2.13, 2.14). */
export default function EditCompany({ companyId, onClose }: EditCompanyProps) {
  const { data, error, refetch } = useResponse(returnConfig, { companyId })
  if (!data)
    return (
      <LoadingSlideOut title={<Trans>Edit</Trans>} onClose={onClose}>
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingState>
            <Trans>Loading municipality</Trans>
          </LoadingState>
        )}
      </LoadingSlideOut>
    )
  const { details, hours } = data.config as unknown as CompanyConfig
  const settings: Record<string, unknown> = { ...details, ...hours }
  const stored = Object.fromEntries(Object.entries(pencilFields).map(([field, setting]) => [field, settings[setting]]))
  return <EditForm companyId={companyId} stored={stored} name={data.company.name} onClose={onClose} />
}

/** Converts stored values to field values. */
const toFormValues = (stored: Record<string, unknown>) => ({ ...stored, phone: typePhone(String(stored['phone'])) })

function EditForm({
  companyId,
  stored,
  name,
  onClose,
}: EditCompanyProps & { name: string; stored: Record<string, unknown> }) {
  const [{ names, schema }] = useState(() => {
    const companyNames = namesFor(companyId)
    return { names: companyNames, schema: askingCompanyForm(companyNames) }
  })
  const [outcome, setOutcome] = useState<{ done: string } | { refusal: string } | null>(null)
  const form = useZodForm(schema, {
    defaultValues: toFormValues(stored) as unknown as CompanyValues,
    basis: stored,
    toFormValues,
    draft: { name: `edit-company-${companyId}` },
  })
  const save = async (values: CompanyOutput) => {
    try {
      const { message } = await call(editCompany, { companyId, ...values, basis: form.basis })
      setOutcome({ done: message })
      void reload(companiesInformation)
      void reload(returnConfig)
    } catch (error) {
      if (!editConflictOf(error)) setOutcome({ refusal: messageOf(error) })
      throw error
    }
  }
  return (
    <>
      <CompanySlideOut id="edit-company" title={<Trans>Edit {name}</Trans>} form={form} onSave={save} onClose={onClose}>
        <CompanyFields form={form} names={names} closing={stored['online'] === 1 ? name : null} />
      </CompanySlideOut>
      {outcome && 'refusal' in outcome && <Refused message={outcome.refusal} onClose={() => setOutcome(null)} />}
      {outcome && 'done' in outcome && <Done message={outcome.done} onClose={onClose} />}
    </>
  )
}
