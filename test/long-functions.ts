import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { CODE_FOLDERS } from './code-folders.ts'

/** Maximum length of a function in lines, including nested functions and blank lines. */
export const MAX_LINES = 100

const root = fileURLToPath(new URL('..', import.meta.url))
const TESTS = /\.test\.tsx?$|^(test|e2e)\//

/** A function over the limit. `name` has the form `file:name`. */
interface LongFunction {
  name: string
  lines: number
}

/** Finds the functions that exceed the limit in all code except tests. */
export function longFunctions(): LongFunction[] {
  const patterns = CODE_FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`)
  return globSync(patterns, { cwd: root })
    .filter((file) => !TESTS.test(file))
    .toSorted()
    .flatMap((file) => longFunctionsIn(file, readFileSync(join(root, file), 'utf8')))
}

/** Finds the functions over the limit in a source text. */
export function longFunctionsIn(file: string, text: string): LongFunction[] {
  // If the whole file is within the limit, no parsing is needed.
  if (text.split('\n').length <= MAX_LINES) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const functions: LongFunction[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const lines = lineAt(node.getEnd()) - lineAt(node.getStart()) + 1
      if (lines > MAX_LINES) functions.push({ name: `${file}:${nameOf(node)}`, lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return functions
}

/**
 * Returns the name of a function. If it has none, returns the name of the variable, property or call that contains it.
 */
function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText()
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  if (ts.isCallExpression(parent)) return `${parent.expression.getText()}()`
  return 'anonymous'
}
