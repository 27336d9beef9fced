import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { editConflictOf, useZodForm } from '../../../web/ui/form.ts'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { companyDetails } from '../../../shared/companies.ts'
import { municipalityUsers } from '../../staff/contract.ts'
import { companyProcessor, processorList, processorStatus, returnConfig, saveProcessor } from '../contract.ts'
import { configHistory } from '../list.ts'
import { processorForm } from '../rules.ts'
import { ProcessorStatus } from './ProcessorStatus.tsx'
import { CompanySlideOut, Done, Refused, LoadingSlideOut } from './CompanySlideOut.tsx'
import { say } from '../../../shared/messages.ts'

interface SetProcessorProps {
  companyId: number
  onClose: () => void
}

interface Choices {
  processors: readonly { processorId: number; name: string }[]
  users: readonly { id: number; first_name: string; last_name: string }[]
  now: { processor_id: number; primary_contact: number | null; secondary_contact: number | null } | undefined
}

/** Form 'Set Utility Bill Processor' (spec 2.15, 5.3): the processor and the company's contacts for it. */
export default function SetProcessor({ companyId, onClose }: SetProcessorProps) {
  const details = useResponse(companyDetails, { companyId })
  const name = details.data?.companyDetails[0]?.name ?? ''
  const list = useResponse(processorList, { companyId })
  const staff = useResponse(municipalityUsers, { companyId, fromUtilSetUp: true })
  const now = useResponse(companyProcessor, { companyId })
  const error = details.error ?? list.error ?? staff.error ?? now.error
  if (!details.data || !list.data || !staff.data || !now.data)
    return (
      <LoadingSlideOut title={name || <Trans>Set Utility Processor</Trans>} onClose={onClose}>
        {error ? (
          <Failed
            error={error}
            onRetry={() => void Promise.all([details.refetch(), list.refetch(), staff.refetch(), now.refetch()])}
          />
        ) : (
          <LoadingState>
            <Trans>Loading processor</Trans>
          </LoadingState>
        )}
      </LoadingSlideOut>
    )
  const choices = { processors: list.data.processors, users: staff.data.users, now: now.data.processor[0] }
  return <ProcessorForm companyId={companyId} name={name} onClose={onClose} choices={choices} />
}

/** Converts null values to empty strings for the form fields. */
const toFormValues = (stored: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(stored).map(([field, value]) => [field, value ?? '']))

function ProcessorForm({ companyId, name, onClose, choices }: SetProcessorProps & { name: string; choices: Choices }) {
  const { t } = useLingui()
  const { processors, users, now } = choices
  const [outcome, setOutcome] = useState<{ done: string } | { refusal: string } | null>(null)
  const stored = {
    selectedProcessor: now?.processor_id ?? null,
    primaryStaff: now?.primary_contact ?? null,
    secondaryStaff: now?.secondary_contact ?? null,
  }
  const form = useZodForm(processorForm, {
    defaultValues: { company: companyId, ...toFormValues(stored) } as z.input<typeof processorForm>,
    basis: stored,
    toFormValues,
    draft: { name: `processor-${companyId}` },
  })
  const people = users.map(({ id, first_name, last_name }) => ({ value: id, label: `${first_name} ${last_name}` }))
  const save = async (values: Parameters<typeof call<typeof saveProcessor>>[1]) => {
    try {
      const { message } = await call(saveProcessor, { ...values, basis: form.basis })
      setOutcome({ done: message })
      for (const endpoint of [companyProcessor, processorStatus, returnConfig, configHistory.call])
        void reload(endpoint)
    } catch (error) {
      if (!editConflictOf(error)) setOutcome({ refusal: messageOf(error) })
      throw error
    }
  }
  return (
    <>
      <CompanySlideOut id="set-processor" title={name} form={form} onSave={save} onClose={onClose}>
        <Select
          label={t`Select a processor`}
          placeholder={t`Choose one`}
          options={processors.map(({ processorId, name: label }) => ({ value: processorId, label }))}
          {...form.field('selectedProcessor')}
        />
        <Select
          label={t`Primary Staff`}
          hint={t`The processor calls this person first.`}
          placeholder={t`Choose one`}
          options={people}
          {...form.field('primaryStaff')}
        />
        <Select
          label={t`Secondary Staff`}
          placeholder={t`Choose one`}
          options={people}
          {...form.field('secondaryStaff')}
        />
        <ProcessorStatus companyId={companyId} />
        {people.length === 0 && (
          <p className="text-muted">
            <Trans>This municipality has no staff yet. Invite a staff member first, then come back.</Trans>
          </p>
        )}
      </CompanySlideOut>
      {outcome && 'refusal' in outcome && (
        <Refused title={say`Oops...`} message={outcome.refusal} onClose={() => setOutcome(null)} />
      )}
      {outcome && 'done' in outcome && <Done message={outcome.done} onClose={onClose} />}
    </>
  )
}
