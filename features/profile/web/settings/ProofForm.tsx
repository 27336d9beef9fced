import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect } from 'react'
import { proofAndCodeForm, proofForm } from '../../../factors/contract.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { CodeField } from '../../../../web/ui/CodeField.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'

export interface Proof {
  password: string
  code?: string
}

interface ProofFormProps {
  /** Whether codes are asked for here. */
  withCode: boolean
  /** What the button says. */
  submit: string
  danger?: boolean
  onProof: (proof: Proof) => Promise<void>
  onCancel: () => void
  /** What follows from it. */
  children?: ReactNode
}

/** Asks once more who somebody is, before the ways into their account change. */
export function ProofForm({ withCode, submit, danger, onProof, onCancel, children }: ProofFormProps) {
  const { t } = useLingui()
  const form = useZodForm(withCode ? proofAndCodeForm : proofForm, { defaultValues: { password: '', code: undefined } })
  const { setFocus } = form
  useEffect(() => setFocus('password'), [setFocus])
  return (
    <Form form={form} onSubmit={({ password, code }) => onProof({ password, ...(code !== undefined && { code }) })}>
      {children && <p>{children}</p>}
      <PasswordField label={t`Your password`} {...form.field('password')} />
      {withCode && (
        <CodeField
          kind="either"
          label={t`Code of your app`}
          hint={t`Or one of your recovery codes.`}
          {...form.field('code')}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          look={danger ? 'danger' : 'primary'}
          busy={form.formState.isSubmitting}
          busyLabel={<Trans>Checking...</Trans>}
        >
          {submit}
        </Button>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Form>
  )
}
