import { globSync, readFileSync } from 'node:fs'
import { basename, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Statement in product code that names a table. `user` is a feature, `server` or `portal`. */
export interface TableUse {
  table: string
  user: string
  isWrite: boolean
  /** File and line. */
  at: string
}

/**
 * Functions that take a table name as an argument: Kysely's methods, and helpers of `server/db/rows.ts` and of
 * payments.
 */
const WRITERS = new Set([
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'changeRow',
  'storeSettings',
  'nextInYear',
])
const READERS = new Set([
  'selectFrom',
  'from',
  'using',
  'table',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'crossJoin',
  'innerJoinLateral',
  'leftJoinLateral',
  'hasRow',
  'lockRow',
  'rowFinderById',
  'settlementsIn',
  // The store of second factors adds the prefix `platform_` for the platform's accounts.
  '#table',
])

/** SQL keywords before a table name, always in capitals in this project. After FROM, commas separate further tables. */
const SQL_TABLES =
  /\b(DELETE FROM|INSERT INTO|MERGE INTO|UPDATE|COPY|(?:FROM|JOIN|USING)(?: ONLY| LATERAL)?)\s+([a-z]\w*)(?![\w.])((?:(?:\s+(?:AS\s+)?[a-z]\w*)?\s*,\s*[a-z]\w*(?![\w.(]))*)/g
const SQL_CTES = /\b([a-z]\w*)(?:\s*\([\w\s,]*\))?\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/g

/**
 * Lists the tables and views of the database from its TypeScript types. A test compares these types with the migrated
 * database.
 */
export function tablesOfSchema(): string[] {
  const source = sourceOf('server/db/schema.ts')
  const schema = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'Schema')
  if (!schema || !ts.isInterfaceDeclaration(schema)) throw new Error('server/db/schema.ts has no Schema')
  return schema.members.map((member) => member.name?.getText() ?? '')
}

/** Finds the statements of features, server and portal that name a table. Skips demo data, tests and screens. */
export const tableUses = (tables: ReadonlySet<string>): TableUse[] =>
  globSync('{features,server,portal}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file) && !file.includes(`${sep}web${sep}`) && !isDemo(file))
    .flatMap((file) => usesIn(file, readFileSync(root + file, 'utf8'), tables))

/** True for files of demo data, which fill the tables of several features as if their calls had run. */
const isDemo = (file: string) => /^(load-)?demo(-[\w-]+)?\.ts$/.test(basename(file))

/** Finds the uses of tables in the code of one file. */
export function usesIn(file: string, code: string, tables: ReadonlySet<string>): TableUse[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ESNext, true)
  const [top = '', feature = ''] = file.split(sep)
  const user = top === 'features' ? feature : top
  const uses: TableUse[] = []
  const subqueries = new Set<string>()
  const add = (node: ts.Node, name: string, isWrite: boolean) => {
    const table = name.split(' ')[0] ?? ''
    if (!tables.has(table)) return
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    uses.push({ table, user, isWrite, at: `${file}:${line + 1}` })
  }
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) {
      const name = nameOf(node.expression)
      if (WRITERS.has(name) || READERS.has(name))
        for (const text of node.arguments.flatMap(textsOf)) add(node, text, WRITERS.has(name))
      if (name === 'with' || name === 'withRecursive')
        for (const text of node.arguments.flatMap(textsOf)) subqueries.add(text)
    }
    // A `table` in a manifest counts as a write, because the sweep deletes rows of that table.
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'table')
      for (const text of textsOf(node.initializer)) add(node, text, true)
    // A `from` in the rules of an undo names a table. Its rows refer to imported rows.
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'from')
      for (const text of textsOf(node.initializer)) add(node, text, false)
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = sqlOf(node)
      for (const [, name = ''] of text.matchAll(SQL_CTES)) subqueries.add(name)
      for (const [, verb = '', name = '', more = ''] of text.matchAll(SQL_TABLES)) {
        add(node, name, /INTO|UPDATE|DELETE/.test(verb))
        for (const [, other = ''] of more.matchAll(/,\s*(\w+)/g)) add(node, other, false)
      }
      // The source of a list is a template that contains only the table's name.
      if (ts.isTaggedTemplateExpression(node.parent)) add(node, text.trim(), false)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return uses.filter((use) => !subqueries.has(use.table))
}

const sourceOf = (file: string) =>
  ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.ESNext, true)

const nameOf = (called: ts.Expression) =>
  ts.isPropertyAccessExpression(called) ? called.name.text : ts.isIdentifier(called) ? called.text : ''

/** Returns the strings that an argument can be: a literal, a conditional, an array, or a variable with one of these. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(textsOf)
  if (ts.isAsExpression(node)) return textsOf(node.expression)
  if (ts.isIdentifier(node)) return textsOfVariable(node)
  return []
}

/**
 * Returns the strings that a variable can have, if a block around its use declares it. An example is `table` in `for
 * (const table of ['a', 'b'])`.
 */
function textsOfVariable(use: ts.Identifier): string[] {
  for (let block: ts.Node = use.parent; block; block = block.parent) {
    const lists = ts.isForOfStatement(block)
      ? [{ list: block.initializer, value: block.expression }]
      : ts.isBlock(block) || ts.isSourceFile(block)
        ? block.statements
            .filter(ts.isVariableStatement)
            .map((one) => ({ list: one.declarationList, value: undefined }))
        : []
    for (const { list, value } of lists)
      if (ts.isVariableDeclarationList(list))
        for (const { name, initializer } of list.declarations) {
          const expression = value ?? initializer
          if (ts.isIdentifier(name) && name.text === use.text && expression) return textsOf(expression)
        }
  }
  return []
}

const sqlOf = (node: ts.StringLiteralLike | ts.TemplateExpression) =>
  ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map((span) => `?${span.literal.text}`).join('')
    : node.text
