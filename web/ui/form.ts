import { useEffect, useEffectEvent, useRef, useState } from 'react'
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
import { translated } from '../../shared/words.ts'
import { CallError, sentenceOf } from '../call.ts'
import { draftOwner, dropDraft, readDraft, writeDraft } from '../drafts.ts'

interface Settings<Values extends FieldValues> {
  defaultValues: DefaultValues<Values>
  /** Keeps what is typed over a reload or an expired session. Never name a form that holds secrets, or leave them out. */
  draft?: { name: string; leaveOut?: readonly Path<Values>[] }
  /** For what two people can edit: what the form is made from, as the server gave it (`shared/edits.ts`). */
  basis?: StoredValues
  /** How what is kept stands in the fields, where that differs. */
  shown?: (kept: StoredValues) => Record<string, unknown>
}

type StoredValues = Record<string, unknown>

/** The name under which a draft keeps what it was begun from. */
const BASIS = ' basis'

/** A form whose rules are a zod schema, with props ready to be spread into the fields of `web/ui`. */
export interface ZodForm<Values extends FieldValues, Output> extends UseFormReturn<Values, unknown, Output> {
  /** For TextField and its kin, Select, Checkbox, DateField, TextArea. */
  field: (name: Path<Values>) => FieldBinding
  /** For MoneyField: the value is integer cents or null. */
  money: (name: Path<Values>) => Bound<number | null>
  /** For RadioCards, SelectWithSearch, DateRange: `value` and `onChange` with the value itself. */
  choice: <Name extends Path<Values>>(name: Name) => Bound<PathValue<Values, Name>>
  /** What the server said of the whole form. */
  refusal: string | undefined
  /** To be sent with the values. A draft keeps that from which it was begun. */
  basis: StoredValues | undefined
  /** The form goes on from what is kept by now. */
  rebase: (now: StoredValues) => void
  shown: (kept: StoredValues) => Record<string, unknown>
  /** While it is saved and until somebody types again, the form shows what is kept, as soon as that is loaded anew. */
  follow: (on: boolean) => void
  /** A save went through. The draft goes with it, but for what somebody typed since into something that stays open. */
  saved: () => void
  /** The save was answered, well or not: values that arrived meanwhile may be shown now. */
  settle: () => void
  /** The fields that a draft filled with something else than their usual value. */
  restored: readonly string[]
  draftName: string | undefined
  /** Who opened the form: its draft is theirs, whoever is signed in by now. */
  draftOwner: string
}

export type FieldBinding = ReturnType<UseFormReturn['register']> & {
  error: string | undefined
  limit: number | undefined
}

export interface Bound<Value> {
  name: string
  value: Value
  onChange: (value: Value) => void
  error: string | undefined
}

/** What a form asks of its rules: a zod schema, or whatever answers like one. */
export interface Rules<Output> {
  safeParseAsync(values: unknown): Promise<
    | { success: true; data: Output }
    | {
        success: false
        error: { issues: readonly { path: PropertyKey[]; code?: string | undefined; message: string }[] }
      }
  >
}

/** What zod says where a rule has no sentence of its own. */
const UNNAMED = 'Invalid input'
export const COMPLETE_IT = 'Complete or correct this field.'

/** The first sentence for each field, as its rules found them. */
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
        message: translated(issue.message === UNNAMED ? COMPLETE_IT : issue.message),
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

/** Most characters of the text at a path, as the rules of the form have it. Undefined if they have no limit. */
function longestAt(schema: unknown, path: readonly string[]): number | undefined {
  const { def = {} } = (schema as { _zod?: SchemaParts } | undefined)?._zod ?? {}
  const [key, ...rest] = path
  if (def.options) return def.options.map((one) => longestAt(one, path)).find((most) => most !== undefined)
  const inner = def.innerType ?? def.in
  if (inner) return longestAt(inner, path)
  if (key === undefined) {
    const limits = (def.checks ?? []).map(({ _zod: { def: one } }) =>
      one.check === 'max_length' ? one.maximum : undefined,
    )
    return limits.find((most) => most !== undefined)
  }
  return longestAt(def.shape?.[key] ?? def.element ?? def.valueType, rest)
}

/** `{ 'a.b': x }` as `{ a: { b: x } }`, the way react-hook-form looks errors up. */
function nested(flat: Record<string, object>): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(flat)) {
    const keys = path.split('.')
    const last = keys.pop() as string
    let at = tree
    for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>
    // A list can be wrong as a whole and in one of its rows.
    at[last] = { ...(at[last] as object), ...value }
  }
  return tree
}

/** The sentence for a field or a part of one: `pets.0.name`. */
export const messageAt = (errors: unknown, path: string): string | undefined => {
  let at = errors as Record<string, unknown> | undefined
  for (const key of path.split('.')) at = at?.[key] as Record<string, unknown> | undefined
  // A field of parts that is called like this has no sentence of its own.
  return typeof at?.message === 'string' ? at.message : undefined
}

/** Each sentence against a field, with its path; that of the whole form stands at its top. */
export function sentencesIn(errors: unknown, path = ''): { path: string; sentence: string }[] {
  if (typeof errors !== 'object' || errors === null || path === 'root') return []
  const { message } = errors as { message?: unknown }
  return [
    ...(path && typeof message === 'string' ? [{ path, sentence: message }] : []),
    ...Object.entries(errors).flatMap(([key, inner]) =>
      key === 'ref' ? [] : sentencesIn(inner, path ? `${path}.${key}` : key),
    ),
  ]
}

/**
 * @param schema validates what is typed; its sentences stand under the fields. Use the contract's own schema.
 */
export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values> | Rules<Output>,
  { defaultValues, draft, basis: given, shown = (kept) => kept }: Settings<Values>,
): ZodForm<Values, Output> {
  const [owner] = useState(draftOwner)
  const [{ typed, begunFrom }, setDraft] = useState(() => {
    const { [BASIS]: from, ...values } = (draft && readDraft<StoredValues>(draft.name, owner)) ?? {}
    return { typed: values, begunFrom: from as StoredValues | undefined }
  })
  const [basis, rebase] = useState(begunFrom ?? given)
  const [isSending, setSending] = useState(false)
  const [usual] = useState(defaultValues)
  const started = useRef<DefaultValues<Values>>(null)
  started.current ??= { ...defaultValues, ...typed }
  const form = useForm<Values, unknown, Output>({
    resolver: resolverOf(schema),
    defaultValues: started.current,
    // After the first try, errors go as soon as they are mended; the form moves the focus itself.
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  })
  // React Hook Form keeps up to date only what is read while the form is drawn.
  const { errors, isSubmitted, isDirty } = form.formState
  const name = draft?.name
  const leftOut = draft?.leaveOut?.join()

  const keepDraft = useEffectEvent((values: StoredValues, from = basis) => {
    if (!name) return
    const without = new Set(leftOut?.split(','))
    const kept = Object.entries(values).filter(([key]) => !without.has(key))
    writeDraft(name, { ...Object.fromEntries(kept), ...(from && { [BASIS]: from }) }, owner)
  })
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty }) => {
          // A value that is put back replaces the one that the draft has.
          if (isDirty || (name && readDraft(name, owner))) keepDraft(values)
        },
      }),
    [form, name, owner],
  )

  const following = useRef(false)
  /** What was saved last, until that is loaded anew. */
  const sent = useRef<StoredValues>(null)
  const givenText = JSON.stringify(given)
  const renew = useEffectEvent(() => {
    // Until a save is answered, nobody knows whether the typed values are kept.
    if (!given || isSending || same(given, basis)) return
    // Whoever has typed nothing sees what came, too. The others keep their text, and its basis.
    if (!following.current && (isDirty || begunFrom)) return goOnAfterSave(given)
    sent.current = null
    rebase(given)
    setDraft({ typed: {}, begunFrom: undefined })
    form.reset({ ...form.getValues(), ...shown(given) } as DefaultValues<Values>)
    // Telling of the new values kept them as a draft once more.
    if (name) dropDraft(name, owner)
  })
  /** Somebody typed on before their own save was loaded anew: what they typed stays, and what they saved is no colleague's change. */
  const goOnAfterSave = (now: StoredValues) => {
    if (!sent.current) return
    const from = { ...now }
    for (const [key, came] of Object.entries(shown(now))) {
      const isTyped = !same(form.getValues(key as Path<Values>), sent.current[key])
      if (!isTyped) form.resetField(key as Path<Values>, { defaultValue: came as never })
      else if (basis && !same(came, sent.current[key])) from[key] = basis[key]
    }
    sent.current = null
    rebase(from)
    keepDraft(form.getValues(), from)
  }
  useEffect(() => renew(), [givenText, isSending])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ type }) => {
          if (type === 'change') following.current = false
        },
      }),
    [form],
  )

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

  return {
    ...form,
    field: (path) => ({
      ...form.register(path),
      error: messageAt(errors, path),
      limit: longestAt(schema, path.split('.')),
    }),
    money: bound as never,
    choice: bound as never,
    refusal: messageAt(errors, 'root.server'),
    ...{ basis, rebase, shown },
    restored: Object.keys(typed).filter((key) => !same(typed[key], usual[key as keyof typeof usual])),
    settle: () => setSending(false),
    follow: (on) => {
      following.current = on
      setSending(on)
      sent.current = on && given ? structuredClone(form.getValues()) : null
    },
    saved: () => {
      if (name && !(given && !following.current)) dropDraft(name, owner)
    },
    draftName: name,
    draftOwner: owner,
  }
}

/** What a save was refused with because somebody else changed the same; null for any other failure. */
export const changedMeanwhile = (error: unknown): EditConflict | null =>
  error instanceof CallError && error.code === 'changed_meanwhile' ? (error.details as unknown as EditConflict) : null

/** What a form itself finds wrong when it is sent. Thrown, it is shown and given the focus as a refusal of the server is. */
export class FormRefused extends Error {
  readonly fields: Record<string, string>
  constructor(message: string, field?: string) {
    super(message)
    this.fields = field ? { [field]: message } : {}
  }
}

/** Shows a failed call in the form: sentences under their fields, the rest at its top. */
export function showRefusal<Values extends FieldValues, Output>(form: ZodForm<Values, Output>, error: unknown): void {
  const own = error instanceof FormRefused
  const fields = Object.entries(own || error instanceof CallError ? error.fields : {})
  const known = fields.some(([field]) => (field.split('.')[0] ?? '') in form.getValues())
  // Where the form has one of them, the others stand at its top.
  if (known) for (const [field, message] of fields) form.setError(field as Path<Values>, { type: 'server', message })
  else
    form.setError('root.server' as Path<Values>, { type: 'server', message: own ? error.message : sentenceOf(error) })
}

export const forgetDraft = (form: { draftName: string | undefined; draftOwner: string }): void => {
  if (form.draftName) dropDraft(form.draftName, form.draftOwner)
}
