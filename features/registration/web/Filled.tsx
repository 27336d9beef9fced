import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import type { PlaceValue } from '../../../shared/places.ts'
import { sentenceOf } from '../../../web/call.ts'
import FieldSteps from '../../../web/fields/FieldSteps.tsx'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { uploadNothing } from '../../../web/fields/surroundings.tsx'
import { PlaceField } from '../../../web/places/PlaceField.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { knownWhereForm, whereForm } from '../contract.ts'

interface FilledProps {
  definition: Definition
  start: Readonly<Record<string, unknown>>
  place: PlaceValue
  /** The town registers only addresses of its own list. */
  knownAddressOnly: boolean
  today: string
  /** Under this name what is typed outlives a reload; it differs for each version. */
  draft: string
  changes?: readonly string[]
  /** Where what is typed is kept on the server: what is said of that, above and below the fields. */
  keeping?: { onKeep: (raw: FieldValues) => void; above: ReactNode; below: ReactNode; round: number }
  doneLabel: ReactNode
  /** Sends it. What it throws stands above the button. */
  onSend: (place: PlaceValue, answers: Answers) => Promise<unknown>
}

type At = 'where' | 'fields' | 'review'

/** A registration as its owner fills it in: where it is, what is asked, and all of it once more before it is sent. */
export function Filled(props: FilledProps) {
  const { definition, start, place, knownAddressOnly, today, draft, changes, keeping, doneLabel, onSend } = props
  const [at, setAt] = useState<At>('where')
  const [where, setWhere] = useState(place)
  const [answers, setAnswers] = useState<Answers>()
  return (
    <Card as="div" className="max-w-180">
      {at === 'where' ? (
        <Where
          start={where}
          rules={knownAddressOnly ? knownWhereForm : whereForm}
          draft={`${draft}:where`}
          onDone={(value) => {
            setWhere(value)
            setAt('fields')
          }}
        />
      ) : at === 'fields' || !answers ? (
        <>
          <p className="mb-4 flex flex-wrap items-baseline gap-x-3">
            <span className="wrap-anywhere font-bold">{where.text}</span>
            <button type="button" className="link text-sm" onClick={() => setAt('where')}>
              <Trans>Another address</Trans>
            </button>
          </p>
          {keeping?.above}
          <FieldSteps
            key={keeping?.round}
            definition={definition}
            start={answers ?? start}
            today={today}
            upload={uploadNothing}
            draft={draft}
            {...(changes && { changes })}
            {...(keeping && { onKeep: keeping.onKeep })}
            doneLabel={<Trans>Look through it</Trans>}
            onDone={(given) => {
              setAnswers(given)
              setAt('review')
            }}
          />
          {keeping && <div className="mt-4">{keeping.below}</div>}
        </>
      ) : (
        <Review
          {...{ definition, answers, today, doneLabel }}
          place={where.text}
          onBack={() => setAt('fields')}
          onSend={() => onSend(where, answers)}
        />
      )}
    </Card>
  )
}

interface WhereProps {
  start: PlaceValue
  rules: typeof whereForm
  draft: string
  onDone: (place: PlaceValue) => void
}

function Where(props: WhereProps) {
  const { t } = useLingui()
  const form = useZodForm(props.rules, { defaultValues: { place: props.start }, draft: { name: props.draft } })
  return (
    <Form form={form} keepDraft onSubmit={({ place }) => props.onDone(place)}>
      <h2>
        <Trans>Where is it?</Trans>
      </h2>
      <PlaceField
        label={t`Address`}
        hint={t`Type the number and the street, and choose the address from the list.`}
        {...form.choice('place')}
      />
      <div>
        <Button type="submit" look="primary">
          <Trans>Go on</Trans>
        </Button>
      </div>
    </Form>
  )
}

interface ReviewProps {
  definition: Definition
  answers: Answers
  today: string
  place: string
  doneLabel: ReactNode
  onBack: () => void
  onSend: () => Promise<unknown>
}

function Review({ definition, answers, today, place, doneLabel, onBack, onSend }: ReviewProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const send = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      await onSend()
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 ref={heading} tabIndex={-1}>
          <Trans>Is everything right?</Trans>
        </h2>
        <p className="wrap-anywhere mt-2 font-bold">{place}</p>
      </div>
      <AnswerSheet {...{ definition, answers, today }} />
      <Refusal>{refusal}</Refusal>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" busy={busy} onClick={() => void send()}>
          {doneLabel}
        </Button>
        <Button onClick={onBack} disabled={busy}>
          <Trans>Change something</Trans>
        </Button>
      </div>
    </div>
  )
}
