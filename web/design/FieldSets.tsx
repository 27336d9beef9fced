import { lazy, useState } from 'react'
import type { Answers } from '../../shared/fields/answer.ts'
import { blankColumn, blankField, blankStep } from '../../shared/fields/blank.ts'
import { mergeFields } from '../../shared/edits.ts'
import { carryOver } from '../../shared/fields/carry.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { type PrefillData, prefilled } from '../../shared/fields/prefill.ts'
import { fromParts, partLabel, threeParts } from '../../shared/fields/parts.ts'
import { CallError } from '../call.ts'
import { dropDraft, readDraft, writeDraft } from '../drafts.ts'
import type { Upload } from '../fields/surroundings.tsx'
import { AnswerSheet, StaffFields } from '../fields/StaffFields.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/Toasts.tsx'
import { longForm } from './long-form.ts'
import { Section } from './Section.tsx'

/** Loaded on demand, as on the screens of residents and staff. */
const FieldSteps = lazy(() => import('../fields/FieldSteps.tsx'))
const Builder = lazy(() => import('../fields/builder/Builder.tsx'))

const TODAY = '2026-11-20'
const prefill: PrefillData = { first_name: 'Ann', last_name: 'Lee', email: 'ann.lee@example.org', today: TODAY }
const options = (...labels: string[]) =>
  labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '_'), label }))

const dogLicense: Definition = {
  steps: [
    {
      ...blankStep('owner'),
      title: 'You',
      intro: 'Who the dog lives with.',
      fields: [
        { ...blankField('text', 'full_name'), label: 'Your name', required: true, prefill: 'full_name' },
        { ...blankField('email', 'email'), label: 'Email', required: true, prefill: 'email' },
        { ...blankField('phone', 'phone'), label: 'Phone', help: 'If we find your dog.' },
        { ...blankField('address', 'home'), label: 'Where the dog lives', required: true },
        { ...blankField('choice', 'resident'), label: 'Do you live in town?', required: true },
      ],
    },
    {
      ...blankStep('dog'),
      title: 'The dog',
      intro: '',
      fields: [
        { ...blankField('text', 'dog_name'), label: 'Name of the dog', required: true, maxLength: 40 },
        {
          ...blankField('choice', 'breed'),
          label: 'Breed',
          options: options('Beagle', 'Boxer', 'Collie', 'Dachshund', 'Labrador', 'Poodle', 'Terrier', 'Another one'),
        },
        { ...blankField('date', 'born'), label: 'Day of birth', latest: 'today' },
        { ...blankField('number', 'weight'), label: 'Weight in pounds', max: 300, decimals: 1 },
        { ...blankField('checkbox', 'dangerous'), label: 'The dog has bitten somebody' },
        {
          ...blankField('text', 'bite'),
          label: 'What happened?',
          long: true,
          required: true,
          maxLength: 2000,
          showWhen: { and: [{ filled: [{ var: 'dangerous' }] }] },
        },
        {
          ...blankField('choices', 'shots'),
          label: 'Vaccinated against',
          options: options('Rabies', 'Distemper', 'Parvovirus'),
        },
        {
          ...blankField('table', 'others'),
          label: 'Other dogs of the household',
          max: 5,
          columns: [
            { ...blankColumn('text', 'name'), label: 'Name', required: true },
            { ...blankColumn('number', 'years'), label: 'Age in years', max: 30 },
          ],
        },
        { ...blankField('file', 'photo'), label: 'Picture of the dog', maxFiles: 2 },
      ],
    },
    {
      ...blankStep('fee'),
      title: 'Fee and signature',
      intro: '',
      fields: [
        {
          ...blankField('reading', 'rules'),
          label: 'The rules',
          text: 'Dogs are kept on a leash.\n\nA tag is worn at all times.',
        },
        { ...blankField('payment', 'license'), label: 'License', fixed: 850 },
        { ...blankField('money', 'gift'), label: 'A gift to the shelter', max: 100_000 },
        {
          ...blankField('computed', 'total'),
          label: 'Total',
          charged: false,
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

const named = ({ steps }: Definition) => ({ name: 'Dog license', steps })

/** Returns the definition with changes, as if another person (Dana) had saved them. */
const byDana = ({ steps }: Definition): Definition => ({
  steps: steps.map((step) => ({
    ...step,
    fields: step.fields.map((field) => (field.name === 'phone' ? { ...field, label: 'Mobile phone' } : field)),
  })),
})

/** Data that this page stores in this tab instead of on a server. */
interface DesignFieldSet {
  draft: Definition
  versions: Definition[]
  /** Version in which the resident started the form, and the changes since that version. */
  startedVersion: number
  changes: string[]
}
const STORE = 'design-field-sets'
const formDraft = (version: number) => `design-dog-license-v${version}`

/** This page sends nothing to a server, so it stores only the name of a file. */
const upload: Upload = async (_field, file) => ({ owner: 'design', id: crypto.randomUUID(), name: file.name })

/** Stores the definition in this tab, and handles its versions and drafts as the server would. */
function useDesignFieldSet() {
  const [stored, setStored] = useState<DesignFieldSet>(
    () =>
      readDraft<DesignFieldSet>(STORE) ?? { draft: dogLicense, versions: [dogLicense], startedVersion: 1, changes: [] },
  )
  const keep = (next: DesignFieldSet) => {
    setStored(next)
    writeDraft(STORE, next)
  }
  const version = stored.versions.length
  const latest = stored.versions.at(-1) ?? dogLicense

  const publish = (draft: Definition): number => {
    const next = version + 1
    const typed = readDraft<Record<string, unknown>>(formDraft(version))
    const carried = typed ? carryOver(latest, draft, typed, TODAY) : { raw: {}, changes: [] }
    if (typed) writeDraft(formDraft(next), carried.raw)
    dropDraft(formDraft(version))
    keep({
      draft,
      versions: [...stored.versions, draft],
      startedVersion: next,
      changes: [...stored.changes, ...carried.changes],
    })
    return next
  }
  /** Merges as the server does. The other person is always Dana. */
  const save = (draft: Definition, basis: Definition): Definition => {
    const parts = threeParts(named(basis), named(draft), named(stored.draft))
    const { merged, collided } = mergeFields(parts.basis, parts.own, parts.now)
    if (collided.size > 0)
      throw new CallError(409, 'edit_conflict', 'Dana Ruiz changed this too.', {
        fieldConflicts: [...collided.keys()].map((field) => ({
          field,
          label: partLabel(field, parts.now, parts.own),
          own: parts.own[field],
          others: parts.now[field],
          by: 'Dana Ruiz',
          at: `${TODAY}T15:00:00.000Z`,
        })),
        now: parts.now,
        merged,
      })
    const next = { steps: fromParts(merged).steps }
    keep({ ...stored, draft: next })
    return next
  }
  return { stored, keep, version, latest, publish, save }
}

/** Fields defined by staff: the builder, and the same fields as residents and staff see them when filling them in. */
export function FieldSets() {
  const { stored, keep, version, latest, publish, save } = useDesignFieldSet()
  const [answers, setAnswers] = useState<Answers | null>(null)
  return (
    <>
      <Section title="Fields that staff define">
        <Notice className="mb-5">
          This page keeps versions and drafts in this tab alone. No feature uses such fields yet; their versions and
          drafts are kept by server/fields.
        </Notice>
        <div className="mb-5 flex flex-wrap gap-3">
          <Button size="small" onClick={() => keep({ ...stored, draft: byDana(stored.draft) })}>
            Dana asks for a mobile phone instead
          </Button>
          <Button size="small" onClick={() => keep({ ...stored, draft: longForm })}>
            Dana saves a form of 40 fields
          </Button>
        </div>
        <Builder
          name="design"
          stored={stored.draft}
          latestVersion={version}
          onSave={save}
          onPublish={publish}
          today={TODAY}
          prefill={prefill}
          upload={upload}
        />
      </Section>
      <Section title="The same fields for a resident">
        <div className="max-w-form">
          <FieldSteps
            key={version}
            definition={latest}
            start={prefilled(latest, prefill)}
            today={TODAY}
            upload={upload}
            draft={formDraft(version)}
            changes={stored.changes}
            onSeen={() => keep({ ...stored, changes: [] })}
            doneLabel="Send the application"
            onDone={(sent) => {
              setAnswers(sent)
              keep({ ...stored, changes: [] })
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
            <Button type="submit" variant="primary">
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
