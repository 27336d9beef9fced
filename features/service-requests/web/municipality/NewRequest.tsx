import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { answersOf } from '../../../../shared/fields/answers.ts'
import { toInputs } from '../../../../shared/fields/inputs.ts'
import { typePhone } from '../../../../shared/phone.ts'
import { noLocation } from '../../../../shared/places.ts'
import { call } from '../../../../web/call.ts'
import { AttachFiles, idsOf } from '../../../../web/cases/AttachFiles.tsx'
import { writeDraft } from '../../../../web/drafts.ts'
import { rulesOf } from '../../../../web/fields/rules-of.ts'
import { FieldGrid } from '../../../../web/fields/StaffFields.tsx'
import { setQuery } from '../../../../web/go.ts'
import { LocationField } from '../../../../web/places/LocationField.tsx'
import { useResponse } from '../../../../web/query.ts'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { forgetDraft, FormRefused, type Rules, showRefusal, useZodForm } from '../../../../web/ui/form.ts'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import type { Caller } from '../../../utility-accounts/contract-callers.ts'
import { CallerField } from '../../../utility-accounts/web/parts/CallerField.tsx'
import { requestCase, requestQuestions } from '../../contract.ts'
import { addCallerAsFollower, enterForCaller, intakeForm } from '../../contract-intake.ts'
import { type Channel, channels } from '../../rules.ts'
import { CategorySelect } from './CategoryDialog.tsx'
import { reloadRequests } from './fresh.ts'
import { NearbyRequests } from './NearbyRequests.tsx'

type Questions = ResponseOf<typeof requestQuestions>
type Intake = z.output<typeof intakeForm>
type Typed = z.input<typeof intakeForm>

const blank = (channel: Channel): Typed => ({
  ...{ channel, categoryId: '', location: noLocation, description: '', answers: {}, files: [] },
  ...{ search: '', name: '', email: '', phone: '', personId: null },
})

/** Rules of the panel: those of the form, and those of the category's questions. */
const rulesWith = (questions: Questions | undefined): Rules<Intake> => ({
  safeParseAsync: async (values) => {
    const parsed = await intakeForm.safeParseAsync(values)
    const inputs = (values as Typed).answers
    const answered = questions && (await rulesOf(questions.definition, questions.today).safeParseAsync(inputs))
    const issues = [
      ...(parsed.success ? [] : parsed.error.issues),
      ...(!answered || answered.success
        ? []
        : answered.error.issues.map((issue) => ({ ...issue, path: ['answers', ...issue.path] }))),
    ]
    return parsed.success && issues.length === 0
      ? { success: true, data: parsed.data }
      : { success: false, error: { issues } }
  },
})

/** Panel in which staff enter a request that arrives by phone, at the counter or by letter. */
export default function NewRequest({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const id = useId()
  const intake = useIntake()
  const { form, questions, round, setUploading, uploading, submit, follow, startAnother } = intake
  const busy = form.formState.isSubmitting
  // The next request starts at the first field.
  useEffect(() => {
    if (round > 0) document.getElementById(id)?.querySelector('select')?.focus()
  }, [round, id])
  const inputs = { ...(questions && toInputs(questions.definition, {})), ...form.watch('answers') }
  return (
    <SlideOut
      title={<Trans>New request</Trans>}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button
            type="submit"
            form={id}
            variant="primary"
            busy={busy}
            disabled={uploading}
            onClick={() => startAnother(false)}
          >
            <Trans>Save</Trans>
          </Button>
          <Button type="submit" form={id} disabled={busy || uploading} onClick={() => startAnother(true)}>
            <Trans>Save and start another</Trans>
          </Button>
          <Button
            disabled={busy}
            onClick={() => {
              forgetDraft(form)
              onClose()
            }}
          >
            <Trans>Discard</Trans>
          </Button>
        </>
      }
    >
      <Form
        id={id}
        form={form}
        onSubmit={submit}
        onKeyDownCapture={(event: KeyboardEvent<HTMLFormElement>) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || uploading) return
          event.preventDefault()
          event.stopPropagation()
          startAnother(event.shiftKey)
          event.currentTarget.requestSubmit()
        }}
      >
        <CategorySelect {...form.choice('categoryId')} />
        {questions && (
          <FieldGrid
            definition={questions.definition}
            today={questions.today}
            upload={noUpload}
            values={inputs}
            errors={form.formState.errors.answers}
            onChange={(name, value) => form.choice('answers').onChange({ ...inputs, [name]: value })}
          />
        )}
        <LocationField label={t`Location`} {...form.choice('location')} />
        <NearbyRequests location={form.watch('location')} onFollow={follow} />
        <TextArea
          label={t`Description`}
          hint={t`The caller can read this text. Never enter card numbers here.`}
          rows={3}
          maxLength={4000}
          {...form.field('description')}
        />
        <CallerFields {...intake} />
        <AttachFiles key={round} of={requestCase} field={form.choice('files')} onBusy={setUploading} />
        <p className="text-muted text-sm">
          <Trans>Ctrl or ⌘ with Enter saves the request. With Shift, another request starts.</Trans>
        </p>
      </Form>
    </SlideOut>
  )
}

/** Category questions have no file fields, because each request has its own photos. */
const noUpload = () => Promise.reject(new Error('questions of requests take no files'))

/** Contact details of the caller, and the channel. Staff find the caller or enter the details. */
function CallerFields({ form }: Pick<ReturnType<typeof useIntake>, 'form'>) {
  const { t } = useLingui()
  const set = (name: 'search' | 'name' | 'email' | 'phone', value: string) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const choose = ({ name, email, phone, personId }: Caller) => {
    set('name', name)
    set('email', email)
    set('phone', typePhone(phone))
    form.setValue('personId', personId, { shouldDirty: true })
  }
  // A different name or email address is another person.
  const another = { onChange: () => form.setValue('personId', null, { shouldDirty: true }) }
  const details = (name: 'name' | 'email') => {
    const { onChange, ...field } = form.field(name)
    return { ...field, onChange: (event: Parameters<typeof onChange>[0]) => (another.onChange(), onChange(event)) }
  }
  return (
    <fieldset className="flex flex-col gap-5 border-line border-y py-5">
      <legend className="spoken">
        <Trans>Caller</Trans>
      </legend>
      {may('customers', 'view') && (
        <CallerField value={form.watch('search')} onChange={(text) => set('search', text)} onChoose={choose} />
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label={t`Caller’s name`} autoComplete="off" {...details('name')} />
        <PhoneField optional {...form.field('phone')} autoComplete="off" />
        <TextField label={t`Email`} optional type="email" autoComplete="off" spellCheck={false} {...details('email')} />
        <Select label={t`Channel`} options={optionsOf(channels)} {...form.field('channel')} />
      </div>
      <p className="text-muted text-sm">
        {form.watch('email').trim() === '' ? (
          <Trans>Without an email address, each answer is marked “Call back”.</Trans>
        ) : (
          <Trans>The portal emails the caller the request number and each answer.</Trans>
        )}
      </p>
    </fieldset>
  )
}

/** State of the panel: the form with its draft, the category's questions, and the effects of its buttons. */
function useIntake() {
  const { t } = useLingui()
  const latest = useRef<Questions>(undefined)
  const isAnother = useRef(false)
  const [round, setRound] = useState(0)
  const [uploading, setUploading] = useState(false)
  const rules: Rules<Intake> = { safeParseAsync: (values) => rulesWith(latest.current).safeParseAsync(values) }
  const form = useZodForm<Typed, Intake>(rules, { defaultValues: blank('phone'), draft: { name: 'request-new' } })
  const categoryId = form.watch('categoryId')
  const { data } = useResponse(requestQuestions, { categoryId: Number(categoryId) }, { enabled: categoryId !== '' })
  const questions = categoryId === '' ? undefined : data
  useEffect(() => void (latest.current = questions), [questions])
  const submit = async ({ files, search: _search, ...values }: Intake) => {
    const current = latest.current ?? (await call(requestQuestions, { categoryId: Number(values.categoryId) }))
    const { answers } = answersOf(current.definition, values.answers, current.today)
    const body = { ...values, answers, version: current.version, files: idsOf(files) }
    const { message, requestId } = await call(enterForCaller, body)
    toast(message)
    await reloadRequests()
    forgetDraft(form)
    if (!isAnother.current) return setQuery({ new: null, request: String(requestId) })
    form.reset(blank(values.channel))
    setRound((before) => before + 1)
  }
  /** Adds the caller to a known request and opens it. The description becomes the draft of a note there. */
  const follow = async ({ id: subjectId }: { id: number }) => {
    const { name, email, phone, personId, description } = form.getValues()
    try {
      if (name.trim() === '') throw new FormRefused(t`Enter the caller’s name.`, 'name')
      if (email.trim() === '')
        throw new FormRefused(t`Enter the caller’s email address. Followers get updates by email.`, 'email')
      toast((await call(addCallerAsFollower, { subjectId, name, email, phone, personId })).message)
    } catch (error) {
      showRefusal(form, error)
      const field = error instanceof FormRefused ? Object.keys(error.fields)[0] : undefined
      if (field === 'name' || field === 'email') form.setFocus(field)
      return
    }
    if (description.trim() !== '') writeDraft(`request:${subjectId}`, { kind: 'note', message: description.trim() })
    forgetDraft(form)
    await reloadRequests()
    setQuery({ new: null, request: String(subjectId) })
  }
  const startAnother = (another: boolean) => void (isAnother.current = another)
  return { form, questions, round, uploading, setUploading, submit, follow, startAnother }
}
