import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSingleKeys } from '../../../web/person-settings.ts'
import { messageOf } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { Dialog, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { editConflictOf, useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { PasswordField } from '../../../web/ui/PasswordField.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { EmailField, StateField, TextField, ZipField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { returnProfile } from '../contract.ts'
import { formFor, type Profile, save, valuesOf } from './profile-form.ts'

const FORM = 'edit-profile'
const Security = lazy(() => import('./settings/Security.tsx'))

/** Edit Profile slide-out of the staff and platform portals (spec 2.16, 5.1, 8.3). */
export default function EditProfile({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useResponse(returnProfile, {})
  if (data) return <Editor profile={data.user} onClose={onClose} />
  return (
    <SlideOut title={<Trans>Edit Profile</Trans>} onClose={onClose}>
      {error ? (
        <Failed error={error} title={<Trans>Your profile could not be loaded</Trans>} onRetry={() => void refetch()} />
      ) : (
        <LoadingState shape="lines">
          <Trans>Loading your profile</Trans>
        </LoadingState>
      )}
    </SlideOut>
  )
}

/**
 * Form for the profile. If the browser finds errors, the form stays open. If the server refuses the changes, the form
 * closes but keeps the entered values.
 */
function Editor({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const [securing, setSecuring] = useState(false)
  const isImpersonating = useSession()?.impersonating ?? false
  const [errors, setErrors] = useState<string[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useZodForm(formFor(profile), {
    defaultValues: { ...valuesOf(profile), email: profile.email, password: '' },
    basis: { ...valuesOf(profile), email: profile.email },
    draft: { name: 'profile', leaveOut: ['password'] },
  })
  const { isSubmitting } = form.formState

  // After the error dialog closes, the focus returns to the button. If a field has an error, the focus moves to the
  // first such field.
  const hadErrors = useRef(false)
  useEffect(() => {
    if (errors.length > 0) hadErrors.current = true
    else if (hadErrors.current) {
      hadErrors.current = false
      document.querySelector<HTMLElement>(`#${FORM} [aria-invalid=true]`)?.focus()
    }
  }, [errors])

  const submit = async (values: Parameters<typeof save>[0]) => {
    try {
      toast(await save(values, form.basis))
      onClose()
    } catch (error) {
      if (!editConflictOf(error)) setRefusal(messageOf(error))
      throw error
    }
  }
  if (securing)
    return (
      <Suspense>
        <Security onClose={onClose} />
      </Suspense>
    )
  if (refusal !== null)
    return (
      <Oops onClose={onClose}>
        <p>{refusal}</p>
        <p className="mt-2 text-muted">
          <Trans>Your entries are not lost. Open My Profile again to continue.</Trans>
        </p>
      </Oops>
    )
  return (
    <>
      <SlideOut
        title={<Trans>Edit Profile</Trans>}
        onClose={onClose}
        locked={isSubmitting}
        actions={<FormButtons form={form} id={FORM} onClose={onClose} />}
      >
        <Form id={FORM} form={form} onSubmit={submit} onInvalid={setErrors}>
          <Fields form={form} profile={profile} />
        </Form>
        <Keys />
        {!isImpersonating && <ToSecurity onGo={() => setSecuring(true)} />}
      </SlideOut>
      {errors.length > 0 && (
        <Oops onClose={() => setErrors([])}>
          <ul className="list-disc ps-5">
            {errors.map((errorText) => (
              <li key={errorText}>{errorText}</li>
            ))}
          </ul>
        </Oops>
      )}
    </>
  )
}

/** Switch for the keys that are single letters (WCAG 2.1.4). It applies immediately, without Save. */
function Keys() {
  const { t } = useLingui()
  const [hasKeys, setKeys] = useSingleKeys()
  return (
    <Checkbox
      className="mt-5 border-line border-t pt-5"
      label={t`Single letters as keys in lists and records`}
      hint={t`For example, J for the next row. This choice applies immediately.`}
      checked={hasKeys}
      onChange={({ target }) => setKeys(target.checked)}
    />
  )
}

type Values = ReturnType<typeof valuesOf> & { email: string; password: string }

interface FieldsProps {
  form: ZodForm<Values, Values>
  profile: Profile
}

function Fields({ form, profile }: FieldsProps) {
  const { t } = useLingui()
  const moved = form.watch('email').trim().toLowerCase() !== profile.email.toLowerCase()
  return (
    <>
      <TextField label={t`First Name`} autoComplete="given-name" {...form.field('first_name')} />
      <TextField label={t`Last Name`} autoComplete="family-name" {...form.field('last_name')} />
      <TextField
        label={t`Business Address`}
        optional
        autoComplete="street-address"
        {...form.field('service_address')}
      />
      <TextField label={t`City`} optional autoComplete="address-level2" {...form.field('city')} />
      <div className="grid grid-cols-2 items-start gap-4">
        <StateField optional hint={t`Two letters`} {...form.field('state')} />
        <ZipField label={t`Zip`} optional hint={t`Five digits`} {...form.field('zipcode')} />
      </div>
      <EmailField
        label={t`Buniness Email`}
        hint={
          profile.new_email ? (
            <Trans>Your email will change to {profile.new_email} when you open the link that we sent there.</Trans>
          ) : (
            <Trans>You will use this email to sign in.</Trans>
          )
        }
        {...form.field('email')}
      />
      {moved && (
        <PasswordField
          label={t`Your password`}
          hint={t`Required to change your email. We will first send a link to the new address.`}
          {...form.field('password')}
        />
      )}
      <PhoneField label={t`Business Cell Phone`} optional shape="profile" {...form.field('mobile_no')} />
    </>
  )
}

/** Link to the security slide-out. The slide-out loads only when it opens. */
const ToSecurity = ({ onGo }: { onGo: () => void }) => (
  <p className="mt-6">
    <Button icon={ShieldCheck} onClick={onGo}>
      <Trans>Sign-in and security</Trans>
    </Button>
  </p>
)

const Oops = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Dialog
    title={<Trans>Oops...</Trans>}
    onClose={onClose}
    actions={
      <Button variant="primary" onClick={onClose}>
        <Trans>OK</Trans>
      </Button>
    }
  >
    {children}
  </Dialog>
)
