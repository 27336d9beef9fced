import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import { call } from '../../../../web/call.ts'
import { readDraft } from '../../../../web/drafts.ts'
import { reload } from '../../../../web/query.ts'
import { useSession } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { useLeaving } from '../../../../web/ui/LateSave.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { permissionTexts } from '../../../../shared/privilege-labels.ts'
import { companiesInformation } from '../../../../shared/companies.ts'
import { returnConfig, saveConfig } from '../../contract.ts'
import { configHistory } from '../../list.ts'
import { missingToChange, type Section, sectionSchemas } from '../../rules.ts'
import { Reserved, type SectionFields } from './fields.tsx'
import { draftOf, type CompanyConfigResponse } from './company.ts'
import { Text } from '../../../../web/ui/Text.tsx'

/** Form of a section. The field names are the names in the section's schema. */
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

/** Names the privilege that the person lacks to change a section. */
function MissingPrivilege({ section, isPlatform }: { section: Section; isPlatform: boolean }) {
  const session = useSession()
  const missing = missingToChange(section, { isPlatform, privileges: session?.privileges ?? {} })
  if (!missing) return null
  const { label, title } = permissionTexts(missing, isPlatform ? 'platform' : 'municipality')
  return (
    <p className="text-muted">
      <Trans>
        You can view these settings. To change them, you need the privilege “{label}” in “{title}”.
      </Trans>
    </p>
  )
}

/** Settings that only the platform may change, below those that the municipality changes. */
const ReservedList = ({ of }: { of: NonNullable<CompanyConfigResponse['sections'][Section]>['reserved'] }) => (
  <section aria-labelledby="reserved" className="border-line border-t pt-4">
    <h3 id="reserved" className="text-tile">
      <Trans>Set by Mainstreet</Trans>
    </h3>
    <p className="mt-1 mb-3 text-muted text-sm">
      <Trans>Only Mainstreet can change these settings. To ask for a change, send a Support Request.</Trans>
    </p>
    <DetailList details={of.map(({ label, value }) => [label, value])} />
  </section>
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
  const { company, isPlatform } = companyConfig
  const { mayChange, reserved } = companyConfig.sections[section] ?? { mayChange: false, reserved: [] }
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
          <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-5">
            <Reserved value={reserved.map(({ field }) => field)}>{children(form)}</Reserved>
          </fieldset>
          {mayChange ? (
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
            <MissingPrivilege section={section} isPlatform={isPlatform} />
          )}
          {reserved.length > 0 && <ReservedList of={reserved} />}
        </Form>
        <Text>{aside?.(form)}</Text>
      </div>
    </>
  )
}
