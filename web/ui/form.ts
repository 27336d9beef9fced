import { useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  useForm,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { type EditConflict, same } from '../../shared/edits.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { issueMessage } from '../../shared/issues.ts'
import { translated } from '../../shared/messages.ts'
import { CallError, messageOf } from '../call.ts'
import { dropDraft } from '../drafts.ts'
import { page } from '../page.ts'
import { type StoredValues, useDraft, useDraftSync } from './form-draft.ts'
import { useReloads } from './form-reloads.ts'
import { awaitsOption, noteFormValue } from './late-options.ts'

interface Settings<Values extends FieldValues> {
  defaultValues: DefaultValues<Values>
  /**
   * Stores the typed values as a draft, which survives a reload or an expired session. Never set this for a form with
   * secrets, unless `leaveOut` lists their fields.
   */
  draft?: { name: string; leaveOut?: readonly Path<Values>[] }
  /** Stored values that the form is based on, for records that several people can edit (`shared/edits.ts`). */
  basis?: StoredValues
  /** Converts stored values to field values, if their formats differ. */
  toFormValues?: (stored: StoredValues) => Record<string, unknown>
  /** Call of a form that also works without JavaScript (`server/form-posts.ts`). Its fields are plain text fields. */
  plain?: Endpoint
}

/** Form with a zod schema as rules. It returns props for the fields of `web/ui`. */
export interface ZodForm<Values extends FieldValues, Output> extends UseFormReturn<Values, unknown, Output> {
  /** Returns props for TextField and its variants, Select, Checkbox, DateField and TextArea. */
  field: (name: Path<Values>) => FieldBinding
  /** Returns props for MoneyField. The value is integer cents or null. */
  money: (name: Path<Values>) => Bound<number | null>
  /** Returns props for RadioCards, SelectWithSearch and DateRange. Their `onChange` passes the value, not an event. */
  choice: <Name extends Path<Values>>(name: Name) => Bound<PathValue<Values, Name>>
  /** Call of a form that also works without JavaScript. Otherwise undefined. */
  plain: Endpoint | undefined
  /** Response to the form, if it was sent without JavaScript. Otherwise null. */
  plainResponse: unknown
  /** The server's error for the whole form. */
  refusal: string | undefined
  /**
   * Stored values that the form is based on. They are sent with the form's values. A draft keeps the basis that it was
   * started with.
   */
  basis: StoredValues | undefined
  /** Makes the stored values the new basis. */
  rebase: (now: StoredValues) => void
  toFormValues: (stored: StoredValues) => Record<string, unknown>
  /** If `on` is true, reloaded stored values replace the form's values until the person types again after a save. */
  follow: (on: boolean) => void
  /**
   * Deletes the draft after a successful save. Keeps the draft if the form stays open and the person has typed since
   * then.
   */
  saved: () => void
  /** Called after any response to a save. The form may then show stored values that were reloaded during the save. */
  finish: () => void
  /** Fields that a draft filled with a value other than the default. */
  restored: readonly string[]
  draftName: string | undefined
  /** Person who opened the form and owns its draft, even if another person is signed in now. */
  draftOwner: string
}

export type FieldBinding = ReturnType<UseFormReturn['register']> & {
  /** Entry in the page of the server. Undefined for a form that needs JavaScript. */
  defaultValue?: string
  error: string | undefined
  limit: number | undefined
}

export interface Bound<Value> {
  name: string
  value: Value
  onChange: (value: Value) => void
  error: string | undefined
}

/** Interface of a form's rules: a zod schema, or an object with the same method. */
export interface Rules<Output> {
  safeParseAsync(values: unknown): Promise<
    | { success: true; data: Output }
    | {
        success: false
        error: {
          issues: readonly { path: PropertyKey[]; code?: string | undefined; message: string; errors?: unknown }[]
        }
      }
  >
}

export const COMPLETE_IT = 'Complete or correct this field.'

/** Returns a resolver that reports the first error of each field. */
function resolverOf<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values> | Rules<Output>,
): Resolver<Values, unknown, Output> {
  return async (values) => {
    const parsed = await schema.safeParseAsync(values)
    if (parsed.success) return { values: parsed.data as Output & FieldValues, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of parsed.error.issues)
      errors[issue.path.join('.') || 'root.server'] ??= {
        type: issue.code ?? 'rule',
        message: translated(issueMessage(issue) ?? COMPLETE_IT),
      }
    return { values: {}, errors: nested(errors) as never }
  }
}

interface SchemaParts {
  def?: {
    innerType?: unknown
    in?: unknown
    element?: unknown
    valueType?: unknown
    options?: readonly unknown[]
    shape?: Record<string, unknown>
    checks?: readonly { _zod: { def: { check: string; maximum?: number } } }[]
  }
}

/** Returns the maximum number of characters at a path of the form's rules. Undefined if the path has no limit. */
function maxLengthAt(schema: unknown, path: readonly string[]): number | undefined {
  const { def = {} } = (schema as { _zod?: SchemaParts } | undefined)?._zod ?? {}
  const [key, ...rest] = path
  if (def.options) return def.options.map((one) => maxLengthAt(one, path)).find((max) => max !== undefined)
  const inner = def.innerType ?? def.in
  if (inner) return maxLengthAt(inner, path)
  if (key === undefined) {
    const limits = (def.checks ?? []).map(({ _zod: { def: one } }) =>
      one.check === 'max_length' ? one.maximum : undefined,
    )
    return limits.find((max) => max !== undefined)
  }
  return maxLengthAt(def.shape?.[key] ?? def.element ?? def.valueType, rest)
}

/** Converts `{ 'a.b': x }` to `{ a: { b: x } }`, as react-hook-form reads errors. */
function nested(flat: Record<string, object>): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(flat)) {
    const keys = path.split('.')
    const last = keys.pop() as string
    let at = tree
    for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>
    // A list may have an error as a whole and in one of its rows.
    at[last] = { ...(at[last] as object), ...value }
  }
  return tree
}

/**
 * Returns where the messages of a refusal belong. If the form has at least one of the fields, the form shows messages of
 * fields that it lacks at its top. Otherwise, the form shows only the message of the whole refusal.
 */
function entriesOf(fields: Record<string, string>, message: string, values: object): [path: string, message: string][] {
  const entries = Object.entries(fields)
  return entries.some(([field]) => (field.split('.')[0] ?? '') in values) ? entries : [['root.server', message]]
}

/** Returns the error of a field, or of a part of a field such as `pets.0.name`. */
export const messageAt = (errors: unknown, path: string): string | undefined => {
  let at = errors as Record<string, unknown> | undefined
  for (const key of path.split('.')) at = at?.[key] as Record<string, unknown> | undefined
  // If a part of the field is named `message`, `at.message` is an object and not the error.
  return typeof at?.message === 'string' ? at.message : undefined
}

/** Lists the field errors with their paths. Leaves out the error of the whole form, which is shown at the top. */
export function sentencesIn(errors: unknown, path = ''): { path: string; message: string }[] {
  if (typeof errors !== 'object' || errors === null || path === 'root') return []
  const { message } = errors as { message?: unknown }
  return [
    ...(path && typeof message === 'string' ? [{ path, message }] : []),
    ...Object.entries(errors).flatMap(([key, inner]) =>
      key === 'ref' ? [] : sentencesIn(inner, path ? `${path}.${key}` : key),
    ),
  ]
}

/** @param schema validates the typed values. Its messages appear below the fields. Use the contract's own schema. */
export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values> | Rules<Output>,
  { defaultValues, draft: draftSettings, basis: input, toFormValues = (stored) => stored, plain }: Settings<Values>,
): ZodForm<Values, Output> {
  const draft = useDraft(draftSettings, input)
  const { typed, basis, rebase } = draft
  const [usual] = useState(defaultValues)
  const started = useRef<DefaultValues<Values>>(null)
  const [sent] = useState(() => (plain && page().sentForm?.call === plain.path ? page().sentForm : null))
  started.current ??= { ...defaultValues, ...typed, ...sent?.values }
  const [sentErrors] = useState(() => {
    if (!sent?.refusal) return null
    const entries = entriesOf(sent.refusal.fields, sent.refusal.message, defaultValues)
    return nested(Object.fromEntries(entries.map(([path, message]) => [path, { type: 'server', message }])))
  })
  const form = useForm<Values, unknown, Output>({
    resolver: resolverOf(schema),
    defaultValues: started.current,
    ...(sentErrors && { errors: sentErrors as never }),
    // After the first attempt, errors disappear as soon as they are corrected. The form itself moves the focus.
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  })
  // React Hook Form updates only the state that is read during rendering.
  const { errors, isSubmitted, isDirty } = form.formState
  useDraftSync(form, draft)
  const reloads = useReloads(form, draft, { input, toFormValues, isDirty })

  const bound = (path: Path<Values>) => {
    form.register(path)
    return {
      name: path,
      value: form.watch(path),
      onChange: (value: PathValue<Values, typeof path>) =>
        form.setValue(path, value, { shouldDirty: true, shouldValidate: isSubmitted }),
      error: messageAt(errors, path),
    }
  }

  const registered = (path: Path<Values>) => {
    const { ref, onBlur, ...others } = form.register(path)
    return {
      ...others,
      ref: (field: unknown) => {
        ref(field)
        noteFormValue(field, () => form.getValues(path))
      },
      // Leaving a select must not clear its value while the options are still loading.
      onBlur: async (event: { target: EventTarget }) => {
        if (!awaitsOption(event.target)) await onBlur(event)
      },
    }
  }

  return {
    ...form,
    field: (path) => ({
      ...registered(path),
      ...(plain && { defaultValue: String(started.current?.[path] ?? '') }),
      error: messageAt(errors, path),
      limit: maxLengthAt(schema, path.split('.')),
    }),
    money: bound as never,
    choice: bound as never,
    refusal: messageAt(errors, 'root.server'),
    plain,
    plainResponse: sent?.response ?? null,
    basis,
    rebase,
    toFormValues,
    restored: Object.keys(typed).filter((key) => !same(typed[key], usual[key as keyof typeof usual])),
    ...reloads,
    draftName: draft.name,
    draftOwner: draft.owner,
  }
}

/** Returns the conflict of a refused save if another person changed the same fields. Null for other errors. */
export const editConflictOf = (error: unknown): EditConflict | null =>
  error instanceof CallError && error.code === 'edit_conflict' ? (error.details as unknown as EditConflict) : null

/**
 * Error that the form itself detects when it is sent. If `onSubmit` throws it, the form shows and focuses it like an
 * error from the server.
 */
export class FormRefused extends Error {
  readonly fields: Record<string, string>
  constructor(message: string, field?: string) {
    super(message)
    this.fields = field ? { [field]: message } : {}
  }
}

/** Shows the errors of a failed call in the form: at their fields, or at the top of the form. */
export function showRefusal<Values extends FieldValues, Output>(form: ZodForm<Values, Output>, error: unknown): void {
  const own = error instanceof FormRefused
  const fields = own || error instanceof CallError ? error.fields : {}
  for (const [path, message] of entriesOf(fields, own ? error.message : messageOf(error), form.getValues()))
    form.setError(path as Path<Values>, { type: 'server', message })
}

export const forgetDraft = (form: { draftName: string | undefined; draftOwner: string }): void => {
  if (form.draftName) dropDraft(form.draftName, form.draftOwner)
}
