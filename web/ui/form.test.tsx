// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { CITATION_INVALID, ticketQuery } from '../../features/parking-tickets/contract.ts'
import { formFor } from '../../features/profile/web/profile-form.ts'
import { processorForm, sectionSchemas } from '../../features/town-config/rules.ts'
import { guestBillFormAsking } from '../../features/utility-accounts/contract.ts'
import { newPasswordField } from '../../shared/passwords.ts'
import { STATE_UNKNOWN } from '../../shared/states.ts'
import { writeDraft } from '../drafts.ts'
import { Form } from './Form.tsx'
import { COMPLETE_IT, FormRefused, type Rules, sentencesIn, useZodForm, type ZodForm } from './form.ts'
import { closePage, showPage, typeInto } from './test/page.tsx'
import { invalidValuesOf, validValuesOf, type Values } from './test/values-of.ts'
import { TextField } from './TextField.tsx'

/**
 * Exports of all contract and rule files of the features, by file and name. They include form rules and call bodies.
 */
const contracts = import.meta.glob<Record<string, unknown>>(
  [
    '/features/*/{contract,rules,report,stored-methods}*.ts',
    '/shared/{accounts,cases,import-presets}.ts',
    '!**/*.test.ts',
  ],
  { eager: true },
)
const screens = import.meta.glob<string>(['/features/**/*.tsx', '/features/**/web/use-*.ts', '/web/**/*.tsx'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
/** Pattern that matches a form, or a kit component that creates one, and captures its rules. */
const FORM =
  /\buseZodForm(?:<[^(]*>)?\(\s*([^,\n]+)|<(?:EditSlideOut|PhoneAgreement|PhoneCode)\b[^]*?\brules=\{([^}\n]+)\}/g
const isForm = (text: string) => text.search(FORM) >= 0
const formFiles = Object.entries(screens).filter(([path, text]) => isForm(text) && !path.includes('.test.'))
/** Names that occur in files with forms. The test uses them to find rules by name, and call bodies as `saveIt.body`. */
const namedInForms = new Set(formFiles.flatMap(([, text]) => text.match(/\b[a-z]\w+\b(?:\.body\b)?/g) ?? []))

const isSchema = (value: unknown): value is z.ZodMiniObject =>
  typeof value === 'object' && value !== null && '_zod' in value && 'shape' in value
const schemas = Object.entries(contracts).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) => {
    const [called, schema] = isSchema(value)
      ? [name, value]
      : [`${name}.body`, (value as { body?: unknown } | null)?.body]
    return namedInForms.has(called) && isSchema(schema) ? [{ title: `${file.split('/')[2]} ${called}`, schema }] : []
  }),
)
schemas.push(
  ...Object.entries(sectionSchemas).map(([section, schema]) => ({ title: `town-config ${section}`, schema })),
  { title: 'identity newPasswordField', schema: z.object({ password: newPasswordField('standard') }) },
  { title: 'profile formFor', schema: formFor({ email: 'ann@example.com' }) },
  { title: 'utility-accounts guestBillFormAsking', schema: guestBillFormAsking('last_name') },
)

interface OpenForm {
  root: HTMLElement
  form: () => ZodForm<Values, unknown>
  sent: unknown[]
  submitForm: () => Promise<void>
  set: (name: string, value: unknown) => Promise<void>
}

afterEach(closePage)

/** Renders the portal's form component with `rules`, and a field for each name in `mounted`. */
async function open(
  rules: Rules<unknown>,
  values: Values,
  mounted: readonly string[],
  onSubmit: (sent: unknown) => void = () => {},
  draft?: { name: string },
): Promise<OpenForm> {
  const sent: unknown[] = []
  let form: ZodForm<Values, unknown> | undefined
  const Page = (): ReactNode => {
    form = useZodForm<Values, unknown>(rules, { defaultValues: values, ...(draft && { draft }) })
    const opened = form
    return (
      <Form form={opened} onSubmit={(what) => (sent.push(what), onSubmit(what))}>
        {mounted.map((name) => {
          const { value: _, onChange: _change, ...bound } = opened.choice(name)
          return <TextField key={name} label={`Field ${name}`} {...bound} />
        })}
        <button type="submit">Send</button>
      </Form>
    )
  }
  const root = await showPage(<Page />)
  const nextFrame = () => act(() => new Promise<void>((done) => requestAnimationFrame(() => done())))
  return {
    root,
    sent,
    form: () => form as ZodForm<Values, unknown>,
    submitForm: async () => {
      await act(async () => root.querySelector<HTMLElement>('[type=submit]')?.click())
      await nextFrame()
    },
    set: (name, value) => act(async () => form?.choice(name).onChange(value as never)),
  }
}

/**
 * Returns the text that must be visible for an error. An error without its own message or field has only a general
 * message.
 */
const visibleTextOf = (message: string) => (message === COMPLETE_IT ? '' : message)
const focused = () => document.activeElement as HTMLElement
const isTop = () => focused().getAttribute('role') === 'alert'

// Time limit in milliseconds. The longest section of the settings has 25 fields, and the test opens two forms for each.
const TIMEOUT_MS = 60_000

describe('a press on the button of a form', { timeout: TIMEOUT_MS }, () => {
  const covered = { schemas: 0, fields: 0, corrected: 0 }

  it.each(schemas)('acts or shows an error and moves the focus there: $title', async ({ schema }) => {
    const values = validValuesOf(schema)
    covered.schemas++
    for (const { name, invalid } of invalidValuesOf(schema, values))
      for (const mounted of [[name], []]) {
        const started = { ...values.values, [name]: invalid }
        const { root, sent, submitForm, set, form } = await open(schema, started, mounted)
        await submitForm()
        covered.fields++
        const errors = form().formState.errors
        expect(sent, name).toEqual([])
        expect(Object.keys(errors), name).toContain(name)
        expect(root.textContent, name).not.toContain('Invalid input')
        // The first field with an error must have the focus. If the field is not on the page, the message at the top
        // must have the focus.
        const marked = root.querySelector('[aria-invalid=true]')
        if (marked) expect(focused(), name).toBe(marked)
        else expect(isTop(), `${name}: focus`).toBe(true)
        for (const { message } of sentencesIn(errors)) expect(root.textContent, name).toContain(visibleTextOf(message))
        if (!values.isValid) continue
        await set(name, values.values[name])
        await submitForm()
        covered.corrected++
        expect(sent, `${name}: one press after the correction`).toHaveLength(1)
        expect(root.querySelector('[role=alert]'), name).toBeNull()
      }
  })

  it('keeps the sentence of a rule with alternatives', async () => {
    const { root, submitForm } = await open(ticketQuery, { citation: "'; --", plate: 'KLM 4821', plateState: 'PE' }, [
      ...['citation', 'plate', 'plateState'],
    ])
    await submitForm()
    expect(root.textContent).toContain(CITATION_INVALID)
    expect(root.textContent).toContain(STATE_UNKNOWN)
    expect(root.textContent).not.toContain(COMPLETE_IT)
  })

  it('is covered for the rules of all features', () => {
    expect(covered.schemas).toBe(schemas.length)
    expect(covered.fields).toBeGreaterThan(900)
    expect(covered.corrected).toBeGreaterThan(covered.fields * 0.8)
  })
})

describe('a text that is too long', () => {
  let fields = 0

  const Typing = ({ schema, name, values }: { schema: z.ZodMiniObject; name: string; values: Values }) => {
    const form = useZodForm<Values, unknown>(schema as never, { defaultValues: values })
    return (
      <Form form={form} onSubmit={() => {}}>
        <TextField label="Typed" {...form.field(name)} />
      </Form>
    )
  }

  it.each(schemas)('shows its error while it is typed: $title', async ({ schema }) => {
    const { values } = validValuesOf(schema)
    for (const [name, value] of Object.entries(values)) {
      const long = 'x'.repeat(5000)
      const sizeIssue = schema
        .safeParse({ ...values, [name]: long })
        .error?.issues.find(
          (issue) => issue.path[0] === name && issue.code === 'too_big' && issue.path.length === 1,
        ) as { maximum?: number } | undefined
      if (typeof value !== 'string' || typeof sizeIssue?.maximum !== 'number') continue
      const root = await showPage(<Typing schema={schema} name={name} values={values} />)
      const input = root.querySelector('input') as HTMLInputElement
      await typeInto(input, 'x'.repeat(sizeIssue.maximum + 1))
      expect(root.querySelector('[role=status]')?.textContent, name).toContain(`The limit is ${sizeIssue.maximum}.`)
      await typeInto(input, 'x'.repeat(sizeIssue.maximum))
      expect(root.querySelector('[role=status]'), name).toBeNull()
      fields++
    }
  })

  it('shows its error at all fields with a limit', () => expect(fields).toBeGreaterThan(80))
})

const required = (message: string) => z.string().check(z.minLength(1, message))
const two = z.object({ a: required('Enter a.'), b: required('Enter b.') })

describe('a form', () => {
  it('removes corrected fields from its summary', async () => {
    const { root, submitForm, set } = await open(two, { a: '', b: '' }, ['a', 'b'])
    await submitForm()
    expect(root.textContent).toContain('2 entries need correction')
    await set('a', 'x')
    expect(root.textContent).toContain('1 entry needs correction')
    expect(root.querySelectorAll('li')).toHaveLength(1)
    await set('b', 'x')
    expect(root.textContent).not.toContain('correction')
  })

  it('shows a refusal for a field that left the page', async () => {
    const { root, submitForm } = await open(two, { a: '', b: 'x' }, ['b'])
    await submitForm()
    expect(isTop()).toBe(true)
    expect(root.textContent).toContain('Enter a.')
  })

  it('focuses the server’s refusal', async () => {
    const refuse = () => {
      throw new FormRefused('The office is closed.')
    }
    const { submitForm } = await open(two, { a: 'x', b: 'x' }, ['a', 'b'], refuse)
    await submitForm()
    expect(focused().textContent).toBe('The office is closed.')
  })

  it('focuses the field that the server names', async () => {
    const refuse = () => {
      throw new FormRefused('Taken already.', 'b')
    }
    const { submitForm } = await open(two, { a: 'x', b: 'x' }, ['a', 'b'], refuse)
    await submitForm()
    expect(focused().getAttribute('name')).toBe('b')
  })
})

describe('a form with a draft', () => {
  const nothing = () => {}

  it('names the fields that the draft filled', async () => {
    writeDraft('two', { a: 'typed before', b: '' })
    const { root } = await open(two, { a: '', b: '' }, ['a', 'b'], nothing, { name: 'two' })
    expect(root.querySelector('p:not([hidden])')?.textContent).toBe(
      'You entered values in these fields earlier, but they have not been saved yet: Field a',
    )
  })

  it('shows no message if the draft equals the form’s values', async () => {
    writeDraft('two', { a: '', b: '' })
    const { root } = await open(two, { a: '', b: '' }, ['a', 'b'], nothing, { name: 'two' })
    expect(root.querySelector('p:not([hidden])')).toBeNull()
  })
})

/** Forms that do not use the shared form code. Each shows its own errors. */
const MANUAL_CASES: Readonly<Record<string, string>> = {
  'features/companies/web/DirectoryScreen.tsx': 'a search: nothing typed lists all',
  'features/companies/web/PayCard.tsx':
    'the landing page’s first view has no form library; it marks and focuses its fields',
  'features/staff/web/PrivilegeMatrix.tsx': 'checkboxes only; a refusal stands above them',
  'features/phone-payments/web/PlayCall.tsx': 'the sandbox’s telephone',
  'features/counter/web/CountForm.tsx': 'one amount, with its own error',
  'features/support/web/admin/AssignItems.tsx': 'a list of choices; a refusal stands above it',
  'features/work-orders/web/Checklist.tsx': 'one line to add',
  'features/faqs/web/SearchForm.tsx': 'a search',
  'features/calendar/web/EventDetails.tsx': 'checkboxes; a day and a time, required by the browser and the call',
  'web/ui/Form.tsx': 'the mechanism',
  'web/ui/office/table/TableTools.tsx': 'a search',
  'web/NotFound.tsx': 'a search',
  'web/list/ViewsDialog.tsx': 'one name, required by the browser',
  'web/office/FindToPay.tsx': 'a search',
  'features/service-requests/web/citizen/PlainReport.tsx': 'chooses a topic in a page without JavaScript',
  'features/service-requests/web/citizen/ReportedScreen.tsx': 'filters that a page without JavaScript sends',
  'web/ui/PlainForm.tsx': 'a form without rules, for the server to check',
}

const PARTS = 'fields of rules that are tried'
const OF_SCREENS = 'rules of the screens that use it'
const NO_REFUSAL = 'choices and texts that have no wrong value'
/** Form rules that a screen creates itself, with the reason why the cases above cover them. */
const MADE_BY_SCREEN: Readonly<Record<string, string>> = {
  'features/alerts/web/ChoicesScreen.tsx anything': NO_REFUSAL,
  'features/arrangements/web/MyArrangementsScreen.tsx agreement': PARTS,
  'features/form-library/web/AddForm.tsx schema': 'fields of rules that are tried, and a file',
  'features/forms/web/citizen/Review.tsx contactOnly': PARTS,
  'features/forms/web/pdf/PdfLinks.tsx typed': NO_REFUSAL,
  'features/hydrants/web/SettingsSlideOut.tsx typed': 'texts of the lists and numbers that the call’s rules take',
  'features/identity/web/PasswordForms.tsx z.object({ password: newPasswordField(rules) })': PARTS,
  'features/identity/web/InvitationForm.tsx newPassword': PARTS,
  'features/identity/web/SignUpScreen.tsx z.extend(signUpForm': PARTS,
  'features/imports/web/AddPreset.tsx schema': 'fields of rules that are tried, and a file',
  'features/moving/web/MoveSteps.tsx rules': PARTS,
  'features/onboarding/web/AddOnboarding.tsx form': 'two choices',
  'features/open311/web/EditPortal.tsx form311': PARTS,
  'features/checkout/web/use-payment-form.ts schema': 'journeys of a payment make each mistake',
  'features/profile/web/EditProfile.tsx formFor(profile)': PARTS,
  'features/profile/web/settings/ContactPanel.tsx choices': NO_REFUSAL,
  'features/profile/web/settings/PasswordPanel.tsx z.extend(changePasswordForm': PARTS,
  'features/profile/web/settings/ProfilePanel.tsx fields': PARTS,
  'features/profile/web/settings/ProofForm.tsx withCode ? proofAndCodeForm : proofForm': PARTS,
  'features/reconciliation/web/ExceptionSlideOut.tsx resolutionForm': 'a choice and texts that the call’s rules take',
  'features/registration/web/Filled.tsx props.rules': PARTS,
  'features/registration/web/SettingsSlideOut.tsx typed': PARTS,
  'features/rental-seasons/web/ApplyForm.tsx typed': PARTS,
  'features/rentals/web/RequestSeriesScreen.tsx typed': PARTS,
  'features/rental-planner/web/BookSlot.tsx typed': PARTS,
  'features/rentals/web/BookSeries.tsx typed': PARTS,
  'features/rentals/web/BookCard.tsx schema': PARTS,
  'features/rental-editor/web/ResourceEditor.tsx rules': PARTS,
  'features/rental-editor/web/ResourceDialogs.tsx typedSpace': PARTS,
  'features/rentals/web/SeriesDates.tsx otherForm': PARTS,
  'features/rental-seasons/web/ChoiceDialog.tsx typed': PARTS,
  'features/service-requests/web/citizen/WhereStep.tsx rules': PARTS,
  'features/service-requests/web/municipality/NewRequest.tsx rules': PARTS,
  'features/staff/web/PersonForm.tsx calls.invitee': PARTS,
  'features/staff/web/PersonForm.tsx calls.person': PARTS,
  'features/town-config/web/CreateCompany.tsx schema': 'fields of rules that are tried, and names that are taken',
  'features/town-config/web/EditCompany.tsx schema': 'fields of rules that are tried, and names that are taken',
  'features/town-config/web/information/SectionForm.tsx sectionSchemas[section] as unknown as z.ZodMiniType<Record<string':
    PARTS,
  'features/utility-accounts/web/FindBillScreen.tsx guestBillFormAsking(fact)': PARTS,
  'features/work-orders/web/InField.tsx long ? noteForm : lineForm': PARTS,
  'web/design/Overlays.tsx company': 'an example of the kit',
  'features/inspections/web/Decision.tsx rulesOf(definition':
    'rules that a municipality defines; shared/fields tries each type',
  'web/fields/FieldSteps.tsx rulesOf(definition': 'rules that a municipality defines; shared/fields tries each type',
  'web/fields/StaffFields.tsx rulesOf(definition': 'rules that a municipality defines; shared/fields tries each type',
  'web/office/ImpersonateDialog.tsx reason': PARTS,
  'web/ui/EditSlideOut.tsx rules': OF_SCREENS,
  'web/ui/PhoneConsent.tsx props.rules': OF_SCREENS,
  'web/ui/PhoneConsent.tsx rules': OF_SCREENS,
  'web/ui/office/rich-text/LinkDialog.tsx schema': 'a link of a text; the call refuses it as a part of the answer',
}

const FILES = 'the call takes the numbers of uploads that the server keeps'
/** Form fields with a rule that no call uses. The text describes how the server checks the field instead. */
const ONLY_IN_FORMS: Readonly<Record<string, string>> = {
  'cases.ts replyForm: complete': 'chooses the call',
  'cases.ts replyForm: files': FILES,
  'cases.ts replyForm: kind': 'chooses the call',
  'cases.ts messageForm: files': FILES,
  'identity newPasswordField: password': 'each call that sets a password judges it by the same rules',
  'moving contactForm: files': FILES,
  'parking-tickets contestForm: files': FILES,
  'parking-tickets enterContestForm: files': FILES,
  'profile formFor: password': 'the call asks for it, too, if the email is another one',
  'registration listedWhereForm: location': 'the call looks the address up in the list',
  'service-requests intakeForm: files': FILES,
  'service-requests intakeForm: search': 'finds the caller. The call has the details of the caller',
  'service-requests reportForm: files': FILES,
  'support requestForm: files': FILES,
  'utility-accounts guestBillFormAsking: fact': 'the call compares it with the account',
  'work-orders lineForm: text': 'the call has the same rule for a line of the checklist',
}

describe('the forms of the product', () => {
  it('use the shared form code', () => {
    const own = Object.entries(screens).filter(([, text]) => /<form\b/.test(text))
    expect(own.map(([path]) => path.slice(1)).toSorted()).toEqual(Object.keys(MANUAL_CASES).toSorted())
  })

  it('are tried above, or have a reason', () => {
    const tried = new Set(schemas.map(({ title }) => title.slice(title.lastIndexOf(' ') + 1)))
    const forms = formFiles.flatMap(([path, text]) =>
      [...text.matchAll(FORM)].map(([, own, options]) => {
        const rules = (own ?? options ?? '').trim()
        return { title: `${path.slice(1)} ${rules}`, rules }
      }),
    )
    expect(forms.length).toBeGreaterThan(140)
    const others = forms.filter(({ rules }) => !tried.has(rules)).map(({ title }) => title)
    expect([...new Set(others)].toSorted()).toEqual(Object.keys(MADE_BY_SCREEN).toSorted())
  })

  it('have no rule for a field that no call has', () => {
    const inCalls = new Set<unknown>()
    const note = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null || !('_zod' in schema) || inCalls.has(schema)) return
      inCalls.add(schema)
      for (const part of Object.values((schema as z.ZodMiniType)._zod.def as object))
        for (const one of [part, ...(typeof part === 'object' && part !== null ? Object.values(part) : [])]) note(one)
    }
    const noteCalls = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || '_zod' in value) return
      if ('path' in value && 'body' in value) note(value.body)
      else
        for (const part of Object.values(value)) if (typeof part === 'object' && part && 'path' in part) noteCalls(part)
    }
    for (const exported of Object.values(contracts)) for (const value of Object.values(exported)) noteCalls(value)
    // These calls use the same rules as their forms.
    for (const rules of [...Object.values(sectionSchemas), processorForm]) note(rules)
    expect(inCalls.size).toBeGreaterThan(1000)
    const responseTitles = new Set(['payments fact', 'payments line', 'payments payment', 'rentals seriesDates'])
    const own = schemas
      .filter(({ title }) => !responseTitles.has(title))
      .flatMap(({ title, schema }) =>
        Object.entries((schema as z.ZodMiniObject).shape)
          .filter(([, field]) => !inCalls.has(field))
          .map(([name]) => `${title}: ${name}`),
      )
    expect(own.toSorted()).toEqual(Object.keys(ONLY_IN_FORMS).toSorted())
  })

  it('pass their form object to a form on the page', () => {
    const without = formFiles.filter(
      ([, text]) =>
        !/<(?:Form|FormSlideOut|FormDialog|EditSlideOut|PhoneAgreement|PhoneCode)\b|return (?:useZodForm|form\b)|form=\{form\}|\{\.\.\.\{[^}]*\bform\b/.test(
          text,
        ),
    )
    expect(without.map(([path]) => path)).toEqual([])
  })
})
