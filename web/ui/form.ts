import { useEffect, useRef, useState } from 'react'
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
import { CallError, sentenceOf } from '../call.ts'
import { draftOwner, dropDraft, readDraft, writeDraft } from '../drafts.ts'

interface Settings<Values extends FieldValues> {
  defaultValues: DefaultValues<Values>
  /** Keeps what is typed over a reload or an expired session. Never name a form that holds secrets, or leave them out. */
  draft?: { name: string; leaveOut?: readonly Path<Values>[] }
}

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
  draftName: string | undefined
  /** Who opened the form: its draft is theirs, whoever is signed in by now. */
  draftOwner: string
}

export type FieldBinding = ReturnType<UseFormReturn['register']> & { error: string | undefined }

export interface Bound<Value> {
  name: string
  value: Value
  onChange: (value: Value) => void
  error: string | undefined
}

/** The first sentence for each field, as zod found them. */
function resolverOf<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values>,
): Resolver<Values, unknown, Output> {
  return async (values) => {
    const parsed = await schema.safeParseAsync(values)
    if (parsed.success) return { values: parsed.data as Output & FieldValues, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of parsed.error.issues)
      errors[issue.path.join('.') || 'root.server'] ??= { type: issue.code ?? 'rule', message: issue.message }
    return { values: {}, errors: nested(errors) as never }
  }
}

/** `{ 'a.b': x }` as `{ a: { b: x } }`, the way react-hook-form looks errors up. */
function nested(flat: Record<string, unknown>): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(flat)) {
    const keys = path.split('.')
    const last = keys.pop() as string
    let at = tree
    for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>
    at[last] = value
  }
  return tree
}

const messageAt = (errors: unknown, path: string): string | undefined => {
  let at = errors as Record<string, unknown> | undefined
  for (const key of path.split('.')) at = at?.[key] as Record<string, unknown> | undefined
  return at?.message as string | undefined
}

/**
 * @param schema validates what is typed; its sentences stand under the fields. Use the contract's own schema.
 */
export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values>,
  { defaultValues, draft }: Settings<Values>,
): ZodForm<Values, Output> {
  const [owner] = useState(draftOwner)
  const started = useRef<DefaultValues<Values>>(null)
  started.current ??= { ...defaultValues, ...(draft && readDraft<DefaultValues<Values>>(draft.name, owner)) }
  const form = useForm<Values, unknown, Output>({
    resolver: resolverOf(schema),
    defaultValues: started.current,
    // After the first try, errors go as soon as they are mended; the form moves the focus itself.
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  })
  const { errors, isSubmitted } = form.formState
  const name = draft?.name
  const leftOut = draft?.leaveOut?.join()

  useEffect(() => {
    if (!name) return
    const without = new Set(leftOut?.split(','))
    const unsubscribe = form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isDirty)
          writeDraft(name, Object.fromEntries(Object.entries(values).filter(([key]) => !without.has(key))), owner)
      },
    })
    return unsubscribe
  }, [form, name, leftOut, owner])

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
    field: (path) => ({ ...form.register(path), error: messageAt(errors, path) }),
    money: bound as never,
    choice: bound as never,
    refusal: messageAt(errors, 'root.server'),
    draftName: name,
    draftOwner: owner,
  }
}

/** Shows a failed call in the form: sentences under their fields, the rest at its top. */
export function showRefusal<Values extends FieldValues, Output>(form: ZodForm<Values, Output>, error: unknown): void {
  const fields = error instanceof CallError ? error.fields : {}
  for (const [field, message] of Object.entries(fields))
    form.setError(field as Path<Values>, { type: 'server', message })
  const known = Object.keys(fields).some((field) => field in form.getValues())
  if (!known) form.setError('root.server' as Path<Values>, { type: 'server', message: sentenceOf(error) })
}

export const forgetDraft = (form: { draftName: string | undefined; draftOwner: string }): void => {
  if (form.draftName) dropDraft(form.draftName, form.draftOwner)
}
