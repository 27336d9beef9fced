import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import { call } from '../../../../web/call.ts'
import { readDraft } from '../../../../web/drafts.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { forgetDraft, useZodForm, type ZodForm } from '../../../../web/ui/form.ts'
import { useLeaving } from '../../../../web/ui/LateSave.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { companiesInformation } from '../../../../shared/companies.ts'
import { returnConfig, saveConfig } from '../../contract.ts'
import { configHistory } from '../../list.ts'
import { type Section, sectionSchemas } from '../../rules.ts'
import { draftOf, type CompanyConfigResponse } from './company.ts'
import { Text } from '../../../../web/ui/Text.tsx'

/** Form of a section. The field names are the names in the section's schema. */
export type SectionFields = ZodForm<FieldValues, Record<string, unknown>>

export interface SectionProps {
  companyConfig: CompanyConfigResponse
}

interface SectionFormProps extends SectionProps {
  section: Section
  title: ReactNode
  /** Introduction that explains the purpose of these settings. */
  lead?: ReactNode
  /** Converts stored values to field values, if the two differ. */
  toFormValues?: (stored: Record<string, unknown>) => Record<string, unknown>
  /** Renders content next to or below the fields but outside the form, such as a preview. */
  aside?: (form: SectionFields) => ReactNode
  children: (form: SectionFields) => ReactNode
}

/** Heading of a section. Receives the focus when a person chooses the section. */
export const SectionTitle = ({
  children,
  badge,
  lead,
}: {
  children: ReactNode
  badge?: ReactNode
  lead?: ReactNode
}) => (
  <div className="mb-5">
    <div className="flex flex-wrap items-center gap-3">
      <h2 id="section-title" tabIndex={-1} className="text-h3">
        {children}
      </h2>
      <Text>{badge}</Text>
    </div>
    {lead && <p className="mt-1 max-w-text text-muted">{lead}</p>}
  </div>
)

/** One section with its own Save button. Drafts survive a reload until they are saved or discarded. */
export function SectionForm(props: SectionFormProps) {
  const [round, setRound] = useState(0)
  return <Fields key={round} {...props} onDiscarded={() => setRound((n) => n + 1)} />
}

function Fields({
  section,
  title,
  lead,
  companyConfig,
  toFormValues = (stored) => stored,
  aside,
  children,
  onDiscarded,
}: SectionFormProps & { onDiscarded: () => void }) {
  const { company, can } = companyConfig
  const draft = draftOf(company.id, section)
  const [hasDraft, setHasDraft] = useState(() => readDraft(draft) !== null)
  const form: SectionFields = useZodForm(
    sectionSchemas[section] as unknown as z.ZodMiniType<Record<string, unknown>, FieldValues>,
    {
      defaultValues: toFormValues({ ...companyConfig.config[section] }),
      basis: { ...companyConfig.config[section] },
      toFormValues,
      draft: { name: draft },
    },
  )
  const { isSubmitting, isDirty } = form.formState
  const unsaved = hasDraft || isDirty
  const { isLate, leave } = useLeaving(() => {
    forgetDraft(form)
    onDiscarded()
    void reload(returnConfig)
  })

  const save = async (checked: Record<string, unknown>) => {
    const { basis } = form
    const { message } = await call(saveConfig, { companyId: company.id, section, values: checked, basis })
    toast(message)
    void reload(companiesInformation)
    void reload(configHistory.call)
    await reload(returnConfig)
    setHasDraft(false)
  }
  return (
    <>
      <SectionTitle
        lead={lead}
        badge={
          unsaved && (
            <StatusBadge kind="attention">
              <Trans>Not saved yet</Trans>
            </StatusBadge>
          )
        }
      >
        {title}
      </SectionTitle>
      <div className={aside ? 'grid items-start gap-8 lg:grid-cols-2' : 'max-w-text'}>
        <Form form={form} onSubmit={save} draftIsMarked aria-labelledby="section-title">
          <fieldset disabled={!can.update} className="flex min-w-0 flex-col gap-5">
            {children(form)}
          </fieldset>
          {can.update ? (
            <div className="flex flex-wrap gap-3">
              <Button type="submit" variant="primary" busy={isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
                <Trans>Save</Trans>
              </Button>
              {unsaved && (
                <Button disabled={isSubmitting && !isLate} onClick={leave}>
                  <Trans>Discard</Trans>
                </Button>
              )}
            </div>
          ) : (
            <p className="text-muted">
              <Trans>
                You can view these settings. To change them, you need the privilege “Edit” in “Company setup”.
              </Trans>
            </p>
          )}
        </Form>
        <Text>{aside?.(form)}</Text>
      </div>
    </>
  )
}
