import { Trans, useLingui } from '@lingui/react/macro'
import type { Field } from '../../../../shared/fields/definition.ts'
import { limitDay } from '../../../../shared/fields/read.ts'
import { allFields } from '../../../../shared/fields/walk.ts'
import { ContactFields, LeaveEmpty } from '../../../../web/cases/ContactFields.tsx'
import { idIn } from '../../../../web/id-in.ts'
import { page } from '../../../../web/page.ts'
import { useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { Checkbox, DateField, Select } from '../../../../web/ui/Choice.tsx'
import { FieldGroup } from '../../../../web/ui/Field.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { PhoneLink } from '../../../../web/ui/PhoneLink.tsx'
import { plainCheck } from '../../../../web/ui/plain-check.ts'
import { PlainForm, plainField } from '../../../../web/ui/PlainForm.tsx'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { requestQuestions, sendRequest } from '../../contract.ts'
import { ANSWER } from '../../rules.ts'
import type { Choices, Questions } from './steps.ts'

type Category = Choices['categories'][number]

/** Report of a problem in a page without JavaScript: first the topic, then one form for all other entries. */
export function PlainReport({ choices: { categories } }: { choices: Choices }) {
  const named = idIn(useQueryParam('category'))
  const category = categories.find(({ id }) => id === named)
  return <Card as="div">{category ? <Details category={category} /> : <ChooseTopic categories={categories} />}</Card>
}

function ChooseTopic({ categories }: { categories: readonly Category[] }) {
  const { t } = useLingui()
  return (
    <form data-plain action="/communication/new#main" className="flex flex-col items-start gap-5">
      <Select
        className="w-full"
        label={t`What kind of problem is it?`}
        placeholder={t`Choose one`}
        options={categories.map(({ id, name }) => ({ value: id, label: name }))}
        name="category"
        required
      />
      <Button type="submit" variant="primary">
        <Trans>Continue</Trans>
      </Button>
    </form>
  )
}

function Details({ category: { id, name, hint, needsLocation } }: { category: Category }) {
  const { t } = useLingui()
  const { data: questions } = useResponse(requestQuestions, { categoryId: id })
  if (!questions) return null
  const field = plainField(sendRequest)
  return (
    <>
      <h2 className="text-h3">{name}</h2>
      {hint && <p className="mt-1 text-muted text-sm">{hint}</p>}
      <p className="mt-1 mb-5">
        <Link className="link" to="/communication/new">
          <Trans>Choose another topic</Trans>
        </Link>
      </p>
      {allFields(questions.definition).some(needsScript) ? (
        <CallUs />
      ) : (
        <PlainForm call={sendRequest} className="items-stretch">
          <input type="hidden" name="categoryId" value={id} />
          <input type="hidden" name="version" value={questions.version} />
          <TextField
            label={t`Where is the problem?`}
            hint={t`Enter an address, an intersection or a landmark.`}
            optional={!needsLocation}
            maxLength={200}
            autoComplete="off"
            {...field('location')}
          />
          {allFields(questions.definition).map((question) => (
            <Question key={question.name} question={question} today={questions.today} />
          ))}
          <TextArea
            label={t`What is wrong?`}
            hint={t`Describe what you saw and when it started. Never enter card numbers here.`}
            rows={4}
            maxLength={4000}
            {...field('description')}
          />
          <ContactFields field={field} mailed={t`We will email you the request number and updates.`} />
          <LeaveEmpty field={field('leaveEmpty')} />
          <div>
            <Button type="submit" variant="primary">
              <Trans>Submit the request</Trans>
            </Button>
          </div>
        </PlainForm>
      )}
    </>
  )
}

function CallUs() {
  const phone = page().footer?.phone_no || page().support.phone
  return (
    <Notice>
      <p>
        <Trans>The questions of this topic need JavaScript. Turn on JavaScript, or call us.</Trans>
      </p>
      {phone && <PhoneLink phone={phone} />}
    </Notice>
  )
}

/** True if a page without JavaScript cannot show a required question. */
const needsScript = ({ type, required }: Field): boolean =>
  required && ['address', 'file', 'payment', 'signature', 'table'].includes(type)

/** Input of a question. Shows nothing for the types that need JavaScript. */
function Question({ question, today }: { question: Field; today: Questions['today'] }) {
  const { t } = useLingui()
  const { name, label, help, required } = question
  const entry = plainField(sendRequest)
  const own = entry(ANSWER + name, name)
  const frame = { label, hint: help || undefined, optional: !required }
  switch (question.type) {
    case 'text':
      return question.long ? <TextArea {...frame} {...own} /> : <TextField {...frame} {...own} />
    case 'email':
      return <TextField {...frame} {...own} type="email" autoComplete="email" />
    case 'phone':
      return <TextField {...frame} {...own} type="tel" autoComplete="tel-national" />
    case 'number':
      return <TextField {...frame} {...own} inputMode="decimal" autoComplete="off" />
    case 'money':
      return <TextField {...frame} {...own} inputMode="decimal" autoComplete="off" before="$" />
    case 'date':
      return (
        <DateField
          {...frame}
          {...own}
          min={limitDay(question.earliest, today) ?? undefined}
          max={limitDay(question.latest, today) ?? undefined}
        />
      )
    case 'choice':
      return <Select {...frame} {...own} placeholder={t`Choose one`} options={question.options} />
    case 'checkbox':
      return <Checkbox {...frame} {...plainCheck(entry(`${ANSWER}${name}:`, name))} />
    case 'choices':
      return (
        <FieldGroup id={name} {...frame} error={own.error}>
          {question.options.map(({ value, label: option }) => (
            <Checkbox key={value} label={option} {...plainCheck(entry(`${ANSWER}${name}:${value}`, ''))} />
          ))}
        </FieldGroup>
      )
    default:
      return null
  }
}
