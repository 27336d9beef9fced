import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Endpoint, RequestInputOf, ResponseOf } from '../shared/endpoint.ts'
import type { Definition } from '../shared/fields/definition.ts'
import { dateIn } from '../shared/dates.ts'
import type { AreaName, Permission } from '../shared/privileges.ts'
import { same, type Values } from '../shared/edits.ts'
import { conflict, malformed } from './errors.ts'
import type { Call, Handler } from './call.ts'
import { freeName, type NameColumn } from './copies.ts'
import { readFieldSet, versionOf } from './fields/sets.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/**
 * Contents of records that staff built: settings and questions, without ids, people and GL accounts. Files, copies from
 * other municipalities and newer texts of starter packs use them.
 */

/** Runs a call as part of another call, in its transaction. Checks the body as usual. */
export type RunCall = <E extends Endpoint>(endpoint: E, body: RequestInputOf<E>) => Promise<ResponseOf<E>>

/** Context for creating a record with the calls of its feature. */
export interface Creating {
  tx: Tx
  company: CompanyId
  /** The company's day. */
  today: string
  run: RunCall
  /** Finds the department with this word in its name. Null if the company has none. */
  department: (word: string | undefined) => number | null
}

/** Content of a record. `settings` has the settings that `ContentKind.settings` lists. */
export interface Content {
  settings: Values
  /** Null if the record has no questions. */
  questions: Definition | null
}

/** Record as stored. `form` has all its settings, as the form of its feature sends them. */
export interface StoredRecord {
  form: Values
  /** Null if the record has no questions. */
  fieldSet: number | null
  departmentId: number | null
}

interface QuestionCalls {
  save: Endpoint
  publish: Endpoint
  /** Returns the part of the body that names the record. */
  of: (id: number) => object
}

/** Kind of records, declared by the feature that owns them. */
export interface ContentKind {
  kind: string
  /** Name of the records on screens. */
  label: string
  area: AreaName
  /** Permission in the area that creating a record needs. */
  permission: Permission
  calls: readonly Handler[]
  names: NameColumn
  /** Settings of a content with their labels, in the order of the display. The first setting is the name. */
  settings: Readonly<Record<string, string>>
  /** Texts of values that are not plain, such as codes. */
  texts?: Readonly<Record<string, (value: never) => string>>
  /** Settings that only a new record takes, such as the spaces of a resource. */
  onlyNew?: readonly string[]
  /** Settings about the municipality itself, such as a location. A copy from another municipality lacks them. */
  local?: readonly string[]
  /** Settings of a new record that the content lacks. They also complete older files. */
  usual: Values
  /** Adds settings that a changed content requires, such as the account of a first fee. */
  complete?: (form: Values) => Values
  /** Checks all settings of a record. */
  schema: z.ZodMiniType
  /** Loads a record. @throws 404 if it does not exist */
  read: (tx: Tx, company: CompanyId, id: number) => Promise<StoredRecord>
  /** Creates a draft, or a record that is not in use. @returns its id */
  create: (creating: Creating, settings: Values, departmentId: number | null) => Promise<number>
  /** Saves all settings of a record. */
  save: (run: RunCall, id: number, form: Values, basis: Values) => Promise<unknown>
  questions?: QuestionCalls
  /**
   * Query of the records in use of all companies: `company_id`, `id`, `title` and `changed_at`. Null if a kind can't be
   * shared.
   */
  listed: RawBuilder<unknown> | null
  /** Returns the path of a record on the screen of its feature. */
  path: (id: number) => string
}

const declared = new Map<string, ContentKind>()

/** Declares a kind of records. The manifest of the feature lists it. */
export function defineContent(kind: ContentKind): ContentKind {
  declared.set(kind.kind, kind)
  return kind
}

interface AddedQuestions {
  questions: QuestionCalls
  calls: readonly Handler[]
}
const addedQuestions = new Map<string, AddedQuestions>()

/** Adds the questions of a kind. For a feature that is built on the owner of the records. */
export const defineContentQuestions = (kind: string, added: AddedQuestions): void =>
  void addedQuestions.set(kind, added)

export function contentKindNamed(name: string): ContentKind | undefined {
  const [kind, added] = [declared.get(name), addedQuestions.get(name)]
  return kind && added ? { ...kind, questions: added.questions, calls: [...kind.calls, ...added.calls] } : kind
}

/** Returns the name of the setting that names a record. */
export const titleField = ({ settings }: Pick<ContentKind, 'settings'>): string => Object.keys(settings)[0] ?? ''
export const titleOf = (kind: Pick<ContentKind, 'settings'>, { settings }: Pick<Content, 'settings'>): string =>
  String((settings[titleField(kind)] as string | undefined) ?? '')

/** Selects the settings that a content has. */
export const settingsOf = (kind: Pick<ContentKind, 'settings'>, form: Values): Record<string, unknown> =>
  Object.fromEntries(Object.keys(kind.settings).flatMap((field) => (field in form ? [[field, form[field]]] : [])))

/** Loads the content of a record. @throws 404 if it does not exist */
export async function readContent(tx: Tx, company: CompanyId, kind: ContentKind, id: number): Promise<Content> {
  const { form, fieldSet } = await kind.read(tx, company, id)
  return { settings: settingsOf(kind, form), questions: (await questionsOf({ tx, company }, fieldSet)).draft }
}

export const digestOf = (seen: unknown): string => createHash('sha256').update(JSON.stringify(seen)).digest('base64url')

/** Refuses to save if the person saw another preview. @throws 409 */
export function refuseOutdated(seen: string, digest: string): void {
  if (seen !== digest)
    throw conflict('seen_otherwise', 'The content has changed since the preview. Check the preview again.')
}

/** Creates a function that runs calls as parts of another call, in its transaction. */
export const runnerOf =
  (call: Call, tx: Tx, calls: readonly Handler[]): RunCall =>
  async (endpoint, body) => {
    const handler = calls.find((one) => one.endpoint === endpoint)
    if (!handler) throw new Error(`No call has the path ${endpoint.path}.`)
    const read = endpoint.body.safeParse(body)
    if (!read.success) throw malformed(`${endpoint.path}: ${read.error.issues[0]?.message ?? ''}`)
    return (await handler.handle(call.within(tx, read.data) as Call<never>)) as never
  }

type Reading = { tx: Tx; company: CompanyId }

interface Questions {
  draft: Definition | null
  /** Published questions. Null if none were published. */
  published: Definition | null
}

/** Loads the questions of a record. */
export async function questionsOf(scope: Reading, fieldSet: number | null): Promise<Questions> {
  if (fieldSet === null) return { draft: null, published: null }
  const { draft, latestVersion } = await readFieldSet(scope, fieldSet)
  const published = latestVersion === 0 ? null : (await versionOf(scope, fieldSet, latestVersion)).definition
  return { draft, published }
}

/** Creates a record with a free name and with the questions of the content as a draft. @returns its id */
export async function createFromContent(
  creating: Creating,
  kind: ContentKind,
  { settings, questions }: Content,
  departmentId: number | null,
): Promise<number> {
  const { tx, company, run } = creating
  const name = await freeName(tx, company, kind.names, titleOf(kind, { settings }))
  const id = await kind.create(creating, { ...kind.usual, ...settings, [titleField(kind)]: name }, departmentId)
  if (questions && kind.questions) {
    const { save, of } = kind.questions
    await run(save, { ...of(id), definition: questions } as never)
  }
  return id
}

/**
 * Saves the merged content of a record with the calls of its feature. If all its questions were published before, also
 * publishes the new ones.
 * @returns true if questions stay a draft
 */
export async function saveContent(
  scope: Reading & { run: RunCall },
  kind: ContentKind,
  id: number,
  content: Content,
  { publish = false } = {},
): Promise<boolean> {
  const { tx, company, run } = scope
  const { form, fieldSet } = await kind.read(tx, company, id)
  const { complete = (values: Values) => values } = kind
  const after = complete({ ...form, ...content.settings })
  if (!same(form, after)) await kind.save(run, id, after, form)
  const { draft, published } = await questionsOf({ tx, company }, fieldSet)
  if (!content.questions || !kind.questions || same(draft, content.questions)) return false
  const { save, publish: publishCall, of } = kind.questions
  const basis = draft ? { basis: draft } : {}
  await run(save, { ...of(id), definition: content.questions, ...basis } as never)
  if (!publish || !published || !same(draft, published)) return true
  const { draft: saved } = await questionsOf({ tx, company }, (await kind.read(tx, company, id)).fieldSet)
  await run(publishCall, { ...of(id), definition: saved } as never)
  return false
}

/** Loads the departments and the day of the company for creating records. */
export async function creatingFor(call: Call, tx: Tx, calls: readonly Handler[]): Promise<Creating> {
  const { company, context } = call
  const departments = await tx
    .selectFrom('department')
    .select(['id', 'name'])
    .where('company_id', '=', company.id)
    .execute()
  return {
    tx,
    company: company.id,
    today: dateIn(company.timeZone, context.clock.now()),
    run: runnerOf(call, tx, calls),
    department: (word) =>
      departments.find(({ name }) => word !== undefined && name.toLowerCase().includes(word.toLowerCase()))?.id ?? null,
  }
}

/** Expression for the time of the last edit of a record `r`. Null if staff never edited it. */
export const lastEditOf = (subject: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(SELECT max(l.at) FROM last_change l WHERE l.company_id = r.company_id AND l.subject = ${subject})`
