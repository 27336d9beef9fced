import { lazy, useState } from 'react'
import type { Answers } from '../../shared/fields/answer.ts'
import { blankColumn, blankField, blankStep } from '../../shared/fields/blank.ts'
import { carryOver } from '../../shared/fields/carry.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { type Known, prefilled } from '../../shared/fields/prefill.ts'
import { dropDraft, readDraft, writeDraft } from '../drafts.ts'
import type { Upload } from '../fields/surroundings.tsx'
import { AnswerSheet, StaffFields } from '../fields/StaffFields.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/Toasts.tsx'
import { Section } from './Section.tsx'

/** As a resident’s screen and an office’s load them, each without the other. */
const FieldSteps = lazy(() => import('../fields/FieldSteps.tsx'))
const Builder = lazy(() => import('../fields/builder/Builder.tsx'))

const TODAY = '2026-11-20'
const known: Known = { first_name: 'Ann', last_name: 'Lee', email: 'ann.lee@example.org', today: TODAY }
const options = (...labels: string[]) =>
  labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '_'), label }))

const dogLicense: Definition = {
  steps: [
    {
      ...{ ...blankStep('owner'), title: 'You', intro: 'Who the dog lives with.' },
      fields: [
        { ...blankField('text', 'full_name'), label: 'Your name', required: true, prefill: 'full_name' },
        { ...blankField('email', 'email'), label: 'Email', required: true, prefill: 'email' },
        { ...blankField('phone', 'phone'), label: 'Phone', help: 'If we find your dog.' },
        { ...blankField('address', 'home'), label: 'Where the dog lives', required: true },
        { ...blankField('choice', 'resident'), label: 'Do you live in town?', required: true },
      ],
    },
    {
      ...{ ...blankStep('dog'), title: 'The dog', intro: '' },
      fields: [
        { ...blankField('text', 'dog_name'), label: 'Name of the dog', required: true, maxLength: 40 },
        {
          ...{ ...blankField('choice', 'breed'), label: 'Breed' },
          options: options('Beagle', 'Boxer', 'Collie', 'Dachshund', 'Labrador', 'Poodle', 'Terrier', 'Another one'),
        },
        { ...blankField('date', 'born'), label: 'Day of birth', latest: 'today' },
        { ...blankField('number', 'weight'), label: 'Weight in pounds', max: 300, decimals: 1 },
        { ...blankField('checkbox', 'dangerous'), label: 'The dog has bitten somebody' },
        {
          ...{ ...blankField('text', 'bite'), label: 'What happened?', long: true, required: true, maxLength: 2000 },
          showWhen: { and: [{ filled: [{ var: 'dangerous' }] }] },
        },
        {
          ...{ ...blankField('choices', 'shots'), label: 'Vaccinated against' },
          options: options('Rabies', 'Distemper', 'Parvovirus'),
        },
        {
          ...{ ...blankField('table', 'others'), label: 'Other dogs of the household', max: 5 },
          columns: [
            { ...blankColumn('text', 'name'), label: 'Name', required: true },
            { ...blankColumn('number', 'years'), label: 'Age in years', max: 30 },
          ],
        },
        { ...blankField('file', 'photo'), label: 'Picture of the dog', maxFiles: 2 },
      ],
    },
    {
      ...{ ...blankStep('fee'), title: 'Fee and signature', intro: '' },
      fields: [
        {
          ...blankField('reading', 'rules'),
          label: 'The rules',
          text: 'Dogs are kept on a leash.\n\nA tag is worn at all times.',
        },
        { ...blankField('payment', 'license'), label: 'License', fixed: 850 },
        { ...blankField('money', 'gift'), label: 'A gift to the shelter', max: 100_000 },
        {
          ...{ ...blankField('computed', 'total'), label: 'Total', charged: false },
          terms: {
            '+': [
              { var: 'license' },
              { var: 'gift' },
              { if: [{ '==': [{ var: 'resident' }, 'no'] }, { cents: 1000 }, 0] },
            ],
          },
        },
        { ...blankField('signature', 'signature'), label: 'Signature', required: true },
      ],
    },
  ],
}

/** What this page keeps in this tab, as the server would. */
interface Kept {
  draft: Definition
  versions: Definition[]
  /** The version in which the resident's form was begun, and what changed since. */
  begun: number
  changes: string[]
}
const STORE = 'design-field-sets'
const formDraft = (version: number) => `design-dog-license-v${version}`

/** Nothing is sent from this page; a file is known by its name alone. */
const upload: Upload = async (_field, file) => ({ owner: 'design', id: crypto.randomUUID(), name: file.name })

/** Fields that staff define: the builder, and the same fields as residents and staff fill them in. */
export function FieldSets() {
  const [kept, setKept] = useState<Kept>(
    () => readDraft<Kept>(STORE) ?? { draft: dogLicense, versions: [dogLicense], begun: 1, changes: [] },
  )
  const [answers, setAnswers] = useState<Answers | null>(null)
  const keep = (next: Kept) => {
    setKept(next)
    writeDraft(STORE, next)
  }
  const version = kept.versions.length
  const latest = kept.versions.at(-1) ?? dogLicense

  const publish = (draft: Definition): number => {
    const next = version + 1
    const typed = readDraft<Record<string, unknown>>(formDraft(version))
    const carried = typed ? carryOver(latest, draft, typed, TODAY) : { raw: {}, changes: [] }
    if (typed) writeDraft(formDraft(next), carried.raw)
    dropDraft(formDraft(version))
    keep({ draft, versions: [...kept.versions, draft], begun: next, changes: [...kept.changes, ...carried.changes] })
    return next
  }
  return (
    <>
      <Section title="Fields that staff define">
        <Notice className="mb-5">
          This page keeps versions and drafts in this tab alone. No feature uses such fields yet; their versions and
          drafts are kept by server/fields.
        </Notice>
        <Builder
          name="design"
          kept={kept.draft}
          latestVersion={version}
          onSave={(draft) => keep({ ...kept, draft })}
          onPublish={publish}
          {...{ today: TODAY, known, upload }}
        />
      </Section>
      <Section title="The same fields for a resident">
        <div className="max-w-form">
          <FieldSteps
            key={version}
            definition={latest}
            start={prefilled(latest, known)}
            today={TODAY}
            upload={upload}
            draft={formDraft(version)}
            changes={kept.changes}
            onSeen={() => keep({ ...kept, changes: [] })}
            doneLabel="Send the application"
            onDone={(sent) => {
              setAnswers(sent)
              keep({ ...kept, changes: [] })
              toast('The application is complete.')
            }}
          />
        </div>
      </Section>
      <Section title="The same fields for staff">
        <StaffFields
          key={version}
          id="staff-fields"
          definition={latest}
          start={answers ?? {}}
          today={TODAY}
          upload={upload}
          draft={`design-staff-v${version}`}
          onDone={setAnswers}
        >
          <div>
            <Button type="submit" look="primary">
              Save the answers
            </Button>
          </div>
        </StaffFields>
      </Section>
      <Section title="Answers as staff read them">
        {answers ? (
          <AnswerSheet definition={latest} answers={answers} today={TODAY} />
        ) : (
          <p>Nothing is answered yet.</p>
        )}
      </Section>
    </>
  )
}
