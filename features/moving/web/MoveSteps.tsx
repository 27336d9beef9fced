import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { typePhone } from '../../../shared/phone.ts'
import { noLocation } from '../../../shared/places.ts'
import { call } from '../../../web/call.ts'
import { AttachFiles, idsOf } from '../../../web/cases/AttachFiles.tsx'
import { ContactFields, LeaveEmpty } from '../../../web/cases/ContactFields.tsx'
import { FinalReview, StepButtons, StepCard } from '../../../web/cases/SendingSteps.tsx'
import { draftOwner, dropDraft, readDraft } from '../../../web/drafts.ts'
import { useDraftSteps } from '../../../web/use-draft-steps.ts'
import { useSent } from '../../../web/use-sent.ts'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import {
  type contactForm,
  contactFormWith,
  moveCase,
  moveChoices,
  type addressesForm,
  addressesFormOn,
  sendMove,
} from '../contract.ts'
import { enters, leaves, MOVE_OUT, type MoveKind } from '../rules.ts'
import { useKinds } from './kinds.ts'

type Choices = ResponseOf<typeof moveChoices>
type AddressValues = z.output<typeof addressesForm>
type Contact = z.output<typeof contactForm>
type SendMoveResponse = ResponseOf<typeof sendMove>

/** Draft of the form with its current step. It survives a reload or an expired session. */
interface MoveDraft {
  step: 'addresses' | 'contact' | 'review'
  addresses?: AddressValues
  contact?: Contact
}
const draftsOf = (kind: MoveKind) => [`move-${kind}`, `move-${kind}-addresses`, `move-${kind}-contact`] as const

/** Form for a move in three steps: addresses and days, contact, review. */
export function MoveSteps({ kind }: { kind: MoveKind }) {
  const kindText = useKinds()[kind]
  const response = useResponse(moveChoices, {})
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={kindText.title}>{kindText.text}</PageHead>
        <ResponseView response={response} shape="lines" loading={<Trans>Loading the available days</Trans>}>
          {(choices) => (choices.signInFirst ? <SignInFirst /> : <Steps kind={kind} choices={choices} />)}
        </ResponseView>
      </div>
    </Measure>
  )
}

const SignInFirst = () => (
  <div className="flex flex-col items-start gap-4">
    <Notice>
      <Trans>Sign in first. Only residents with an account can request a move.</Trans>
    </Notice>
    <LinkButton to="/sign-in" variant="primary">
      <Trans>Sign In</Trans>
    </LinkButton>
  </div>
)

function Steps({ kind, choices }: { kind: MoveKind; choices: Choices }) {
  const [owner] = useState(draftOwner)
  const [main] = draftsOf(kind)
  const { draft, moved, to } = useDraftSteps<MoveDraft>(
    main,
    owner,
    () => readDraft(main, owner) ?? { step: 'addresses' },
  )
  const [sent, setSent] = useSent<SendMoveResponse>(`move-${kind}`)
  const { step, addresses, contact } = draft
  if (sent) return <Received sent={sent} />
  if (step === 'review' && addresses && contact)
    return (
      <Review
        addresses={addresses}
        contact={contact}
        leaves={
          addresses.leavesBy === 'account'
            ? (choices.accounts.find(({ id }) => id === addresses.accountId)?.premise ?? '')
            : addresses.leaves.text
        }
        onSend={async () => {
          const { files, ...reached } = contact
          const response = await call(sendMove, { ...addresses, ...reached, files: idsOf(files) })
          for (const name of draftsOf(kind)) dropDraft(name, owner)
          setSent(response)
        }}
        onChange={(next) => to({ ...draft, step: next })}
      />
    )
  if (step === 'contact' && addresses)
    return (
      <ContactStep
        kind={kind}
        choices={choices}
        onDone={(values) => to({ ...draft, contact: values, step: 'review' })}
        onBack={() => to({ ...draft, step: 'addresses' })}
      />
    )
  return (
    <AddressesStep
      kind={kind}
      choices={choices}
      moved={moved}
      onDone={(values) => to({ ...draft, addresses: values, step: 'contact' })}
    />
  )
}

interface StepProps<MoveStepInput> {
  kind: MoveKind
  choices: Choices
  onDone: (input: MoveStepInput) => void
}

function AddressesStep({ kind, choices, moved, onDone }: StepProps<AddressValues> & { moved: boolean }) {
  const { t } = useLingui()
  const { accounts, autopayDays, first, last } = choices
  const [rules] = useState(() => addressesFormOn(choices))
  const form = useZodForm(rules, {
    defaultValues: {
      kind,
      leavesBy: (accounts.length > 0 ? 'account' : 'address') as AddressValues['leavesBy'],
      accountId: accounts[0]?.id ?? null,
      leaves: noLocation,
      leavesOn: '',
      enters: noLocation,
      entersOn: '',
      forwarding: '',
      ownerName: '',
      ownerEmail: '',
    },
    draft: { name: draftsOf(kind)[1] },
  })
  const by = form.choice('leavesBy')
  const account = form.choice('accountId')
  const hint = t`Choose a day from ${formatShortDate(first)} to ${formatShortDate(last)} when the office is open.`
  return (
    <StepCard title={<Trans>Addresses and dates</Trans>} moved={moved}>
      <Form form={form} keepDraft draftIsMarked onSubmit={onDone}>
        {leaves(kind) && (
          <>
            {accounts.length > 0 && (
              <Select
                label={t`Which address are you leaving?`}
                value={by.value === 'account' ? String(account.value ?? '') : ''}
                onChange={({ target }) => {
                  by.onChange(target.value ? 'account' : 'address')
                  account.onChange(target.value ? Number(target.value) : null)
                }}
                options={[
                  ...accounts.map(({ id, number, premise }) => ({
                    value: String(id),
                    label: t`${premise} (account ${number})`,
                  })),
                  { value: '', label: t`Another address` },
                ]}
              />
            )}
            {by.value !== 'account' && (
              <LocationField {...form.choice('leaves')} label={t`Address that you are leaving`} />
            )}
            <DateField label={t`Move-out date`} hint={hint} min={first} max={last} {...form.field('leavesOn')} />
            {by.value === 'account' && accounts.find(({ id }) => id === account.value)?.autopay && (
              <Notice tone="info">
                <Trans>
                  AutoPay for this account will continue for <Plural value={autopayDays} one="# day" other="# days" />{' '}
                  after your move-out date to pay the final bill. Then it will end.
                </Trans>
              </Notice>
            )}
          </>
        )}
        {enters(kind) && (
          <>
            <LocationField {...form.choice('enters')} label={t`Address that you are moving to`} />
            <DateField label={t`Move-in date`} hint={hint} min={first} max={last} {...form.field('entersOn')} />
          </>
        )}
        {kind === MOVE_OUT && (
          <TextField
            label={t`New address`}
            hint={t`We will send the final bill to this address.`}
            optional
            autoComplete="off"
            {...form.field('forwarding')}
          />
        )}
        <TextField
          label={enters(kind) ? t`Owner of the new property, if you rent` : t`Owner of the property, if you rent`}
          hint={t`If you enter the owner's email below, we will ask the owner to agree.`}
          optional
          autoComplete="off"
          {...form.field('ownerName')}
        />
        <TextField label={t`Owner's email`} type="email" optional autoComplete="off" {...form.field('ownerEmail')} />
        <StepButtons form={form} />
      </Form>
    </StepCard>
  )
}

function ContactStep({
  kind,
  choices: { prefill, documents },
  onDone,
  onBack,
}: StepProps<Contact> & { onBack: () => void }) {
  const { t } = useLingui()
  const [uploading, setUploading] = useState(false)
  const [rules] = useState(() => contactFormWith(documents))
  const form = useZodForm(rules, {
    defaultValues: { ...prefill, phone: typePhone(prefill.phone), note: '', files: [], leaveEmpty: '' },
    draft: { name: draftsOf(kind)[2], leaveOut: ['leaveEmpty'] },
  })
  return (
    <StepCard title={<Trans>Contact details</Trans>} moved>
      <Form form={form} keepDraft draftIsMarked onSubmit={onDone}>
        <ContactFields
          field={form.field}
          mailed={t`We will email you the number of your move request and notify you when the move is complete.`}
        />
        <TextArea
          label={t`Additional information`}
          hint={t`Example: the meter location. Never enter card numbers here.`}
          rows={3}
          maxLength={4000}
          optional
          {...form.field('note')}
        />
        <AttachFiles
          of={moveCase}
          field={form.choice('files')}
          onBusy={setUploading}
          {...(documents && { requires: t`Please attach: ${documents}` })}
        />
        <LeaveEmpty field={form.field('leaveEmpty')} />
        <StepButtons form={form} disabled={uploading} isLast onBack={onBack} />
      </Form>
    </StepCard>
  )
}

interface ReviewProps {
  addresses: AddressValues
  contact: Contact
  /** Address that the person leaves, chosen or typed. */
  leaves: string
  /** Sends the move. The review step shows any error that this call throws. */
  onSend: () => Promise<void>
  onChange: (step: 'addresses' | 'contact') => void
}

/** Review of all entries before they are sent. */
function Review({ addresses, contact, leaves: left, onSend, onChange }: ReviewProps) {
  const { t } = useLingui()
  const lines: (readonly [string, string])[] = [
    ...(leaves(addresses.kind)
      ? ([
          [t`Moving from`, left],
          [t`Move-out date`, formatShortDate(addresses.leavesOn)],
        ] as const)
      : []),
    ...(enters(addresses.kind)
      ? ([
          [
            t`Moving to`,
            addresses.enters.asTyped ? t`${addresses.enters.text} (not on our address list)` : addresses.enters.text,
          ],
          [t`Move-in date`, formatShortDate(addresses.entersOn)],
        ] as const)
      : []),
    [t`New address`, addresses.forwarding],
    [t`Owner`, [addresses.ownerName, addresses.ownerEmail].filter(Boolean).join(', ')],
    [t`Name`, contact.name],
    [t`Email`, contact.email],
    [t`Phone`, contact.phone],
    [t`Note`, contact.note],
    [t`Documents`, (contact.files ?? []).map(({ name }) => name).join(', ')],
  ]
  return (
    <FinalReview
      details={lines.filter(([, value]) => value !== '')}
      moved
      send={<Trans>Submit move request</Trans>}
      onSend={onSend}
      changes={[
        { key: 'addresses', label: <Trans>Change addresses and dates</Trans>, onPress: () => onChange('addresses') },
        { key: 'contact', label: <Trans>Change contact details</Trans>, onPress: () => onChange('contact') },
      ]}
    />
  )
}

const Received = ({ sent }: { sent: SendMoveResponse }) => (
  <StepCard title={<Trans>We received move request {sent.number}</Trans>} moved>
    <p>{sent.message}</p>
    <div className="mt-5 flex flex-wrap gap-3 print:hidden">
      <LinkButton to={`/relocate/request/${sent.token}`} variant="primary">
        <Trans>View your move request</Trans>
      </LinkButton>
      <Button icon={Printer} onClick={() => window.print()}>
        <Trans>Print</Trans>
      </Button>
    </div>
  </StepCard>
)
