import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { FinalReview } from '../../../web/cases/SendingSteps.tsx'
import { useStepHistory } from '../../../web/use-step-history.ts'
import FieldSteps from '../../../web/fields/FieldSteps.tsx'
import { AnswerReview } from '../../../web/fields/AnswerReview.tsx'
import { uploadNothing } from '../../../web/fields/surroundings.tsx'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { useStepHeading } from '../../../web/ui/step-heading.ts'
import { type ExistingRegistration, listedWhereForm, whereForm } from '../contract.ts'
import { findAtAddress, HOUSEHOLD, type Kind, OWN_PATH } from '../rules.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface FilledProps {
  definition: Definition
  start: Readonly<Record<string, unknown>>
  location: LocationValue
  /** True if the form accepts only addresses from the company's list. */
  listedAddressOnly: boolean
  today: string
  /**
   * Name under which the browser stores the draft, so that entered values survive a reload. Each version has its own
   * name.
   */
  draft: string
  changes?: readonly string[]
  /** Kind of the new registration, and the person's existing registrations of that kind. */
  already?: { kind: Kind; those: readonly ExistingRegistration[] }
  /** Set if the server saves the draft. `above` and `below` are rendered above and below the fields. */
  keeping?: {
    onKeep: (raw: FieldValues) => void
    onLocation: (location: LocationValue) => void
    above: ReactNode
    below: ReactNode
    round: number
  }
  doneLabel: ReactNode
  /** Sends the registration. The form shows errors above the button. */
  onSend: (location: LocationValue, answers: Answers) => Promise<unknown>
}

type FormStage = 'where' | 'fields' | 'review'

/** Form for the owner: the address, the questions, and a review before the form is sent. */
export function Filled(props: FilledProps) {
  const { definition, start, location, listedAddressOnly, today, draft, changes, keeping, doneLabel, onSend, already } =
    props
  const { t } = useLingui()
  const [at, setAt] = useState<FormStage>('where')
  const [moved, setMoved] = useState(false)
  const [where, setWhere] = useState(location)
  const [answers, setAnswers] = useState<Answers>()
  const [openAt, setOpenAt] = useState<string>()
  const enter = useStepHistory(`${draft}:stage`, at, (returned) => {
    setMoved(true)
    setOpenAt(undefined)
    setAt(returned)
  })
  const to = (next: FormStage) => {
    enter(next)
    setAt(next)
  }
  const toQuestions = (name?: string) => {
    setOpenAt(name)
    to('fields')
  }
  const there = already && findAtAddress(already.those, where)
  if (at === 'review' && answers)
    return (
      <div className="max-w-180">
        <FinalReview
          details={[[t`Address`, where.text]]}
          moved
          send={doneLabel}
          onSend={async () => void (await onSend(where, answers))}
          changes={[
            { key: 'where', label: <Trans>Change address</Trans>, onPress: () => to('where') },
            { key: 'fields', label: <Trans>Back to questions</Trans>, onPress: () => toQuestions() },
          ]}
        >
          <div className="mt-5">
            <AnswerReview definition={definition} answers={answers} today={today} onChange={toQuestions} />
          </div>
        </FinalReview>
      </div>
    )
  return (
    <Card as="div" className="max-w-180">
      {at === 'where' ? (
        <Where
          start={where}
          moved={moved}
          rules={listedAddressOnly ? listedWhereForm : whereForm}
          draft={`${draft}:where`}
          {...(already?.kind === HOUSEHOLD && { registered: already.those })}
          onDone={(value) => {
            setWhere(value)
            keeping?.onLocation(value)
            to('fields')
            setMoved(true)
          }}
        />
      ) : (
        <>
          <p className="mb-4 flex flex-wrap items-baseline gap-x-3">
            <span className="wrap-anywhere font-bold">{where.text}</span>
            <button type="button" className="link text-sm" onClick={() => to('where')}>
              <Trans>Another address</Trans>
            </button>
          </p>
          {there && (
            <Notice
              tone="warning"
              className="mb-4"
              title={<Trans>You already have a registration at this address</Trans>}
            >
              <RegisteredAs one={there} />
            </Notice>
          )}
          <Text>{keeping?.above}</Text>
          <FieldSteps
            key={keeping?.round}
            definition={definition}
            start={answers ?? start}
            today={today}
            upload={uploadNothing}
            draft={draft}
            openAt={openAt}
            arrived
            {...(changes && { changes })}
            {...(keeping && { onKeep: keeping.onKeep })}
            doneLabel={<Trans>Review</Trans>}
            onDone={(input) => {
              setAnswers(input)
              to('review')
            }}
          />
          {keeping && <div className="mt-4">{keeping.below}</div>}
        </>
      )}
    </Card>
  )
}

interface AddressStepProps {
  moved: boolean
  start: LocationValue
  rules: typeof whereForm
  draft: string
  /** Existing registrations. The form warns if the new address already has one. */
  registered?: readonly ExistingRegistration[]
  onDone: (location: LocationValue) => void
}

function Where(props: AddressStepProps) {
  const { t } = useLingui()
  const heading = useStepHeading(props.moved)
  const [there, setThere] = useState<ExistingRegistration>()
  const [attempts, setAttempts] = useState(0)
  const form = useZodForm(props.rules, { defaultValues: { location: props.start }, draft: { name: props.draft } })
  const go = ({ location }: { location: LocationValue }) => {
    const existing = findAtAddress(props.registered ?? [], location)
    setThere(existing)
    setAttempts(attempts + 1)
    if (!existing) props.onDone(location)
  }
  return (
    <Form form={form} keepDraft onSubmit={go}>
      <h2 ref={heading} tabIndex={-1}>
        <Trans>What is the address?</Trans>
      </h2>
      <LocationField
        label={t`Address`}
        hint={t`Enter the number and street, then choose the address from the list.`}
        {...form.choice('location')}
      />
      {there && (
        <Notice key={attempts} tone="warning" arrives title={<Trans>You have already registered this household</Trans>}>
          <RegisteredAs one={there} />
        </Notice>
      )}
      <div>
        <Button type="submit" variant="primary">
          <Trans>Continue</Trans>
        </Button>
      </div>
    </Form>
  )
}

const RegisteredAs = ({ one: { id, number } }: { one: ExistingRegistration }) => (
  <Trans>
    The existing registration is{' '}
    <Link className="link" to={`${OWN_PATH}?registration=${id}`}>
      {number}
    </Link>
    . If something has changed, update that registration.
  </Trans>
)
