import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect } from 'react'
import { AppOrRecoveryCode } from '../../../../web/ui/CodeField.tsx'
import { FormActions } from '../../../../web/ui/FormButtons.tsx'
import { proofAndCodeForm, proofForm } from '../../../factors/contract.ts'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'

export interface Proof {
  password: string
  code?: string
}

interface ProofFormProps {
  /** True if a two-factor code is required. */
  withCode: boolean
  /** Label of the submit button. */
  submit: string
  danger?: boolean
  onProof: (proof: Proof) => Promise<void>
  onCancel: () => void
  /** Text about the consequences of the action. */
  children?: ReactNode
}

/** Form in which the person proves their identity again before they change a sign-in method. */
export function ProofForm({ withCode, submit, danger, onProof, onCancel, children }: ProofFormProps) {
  const { t } = useLingui()
  const form = useZodForm(withCode ? proofAndCodeForm : proofForm, { defaultValues: { password: '', code: undefined } })
  const { setFocus } = form
  useEffect(() => setFocus('password'), [setFocus])
  return (
    <Form form={form} onSubmit={({ password, code }) => onProof({ password, ...(code !== undefined && { code }) })}>
      {children && <p>{children}</p>}
      <PasswordField label={t`Your password`} {...form.field('password')} />
      {withCode && <AppOrRecoveryCode {...form.field('code')} />}
      <FormActions
        form={form}
        submit={submit}
        danger={danger}
        busyLabel={<Trans>Checking...</Trans>}
        onCancel={onCancel}
      />
    </Form>
  )
}
