import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * Elements that may contain only plain text. If they contain an element, the browser drops it or shows its markup as
 * text.
 */
const PLAIN = new Set(['option', 'title', 'textarea', 'text'])
/** Lingui macros that put each text into an element (`Sentence`). */
const MACROS = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal'])

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Compiles the screens that the entries import. `extra` adds files: it maps file names to code. */
export function programOf(entries: readonly string[], extra: Record<string, string> = {}): ts.Program {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const host = ts.createCompilerHost({ ...options, noEmit: true }, true)
  const { getSourceFile, fileExists } = host
  const codeOf = (file: string) => extra[file.slice(root.length)]
  host.getSourceFile = (file, ...rest) => {
    const code = codeOf(file)
    return code === undefined
      ? getSourceFile.call(host, file, ...rest)
      : ts.createSourceFile(file, code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX)
  }
  host.fileExists = (file) => codeOf(file) !== undefined || fileExists.call(host, file)
  const files = [...entries, 'web/env.d.ts', ...Object.keys(extra)].map((file) => root + file)
  return ts.createProgram(files, { ...options, noEmit: true }, host)
}

/** True if a value of this type can be a string or number that React shows on the page. */
function isText(type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some(isText)
  if (type.isStringLiteral()) return type.value !== ''
  // React also shows the 0 of an expression such as `0 && …`.
  if (type.isNumberLiteral()) return type.value !== 0
  return Boolean(type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.Any))
}

type Child = ts.JsxExpression | ts.JsxText | ts.JsxElement | ts.JsxSelfClosingElement | ts.JsxFragment

const isVisible = (child: ts.JsxChild): child is Child =>
  ts.isJsxText(child) ? child.text.trim() !== '' : !ts.isJsxExpression(child) || Boolean(child.expression)

/**
 * Finds texts that React can't update or remove after a browser's translator has replaced the text nodes of a page.
 * Such texts change next to other content, are in a fragment, or follow optional content. React inserts optional
 * content before the text node, which is no longer in the page.
 */
export function findChangingTexts(program: ts.Program): { files: number; findings: string[] } {
  const checker = program.getTypeChecker()
  const findings: string[] = []
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.endsWith('.tsx') && !fileName.includes('node_modules'))
  /** True for a component that renders only text, without an element. */
  const returnsText = (child: Child) => {
    if (!ts.isJsxElement(child) && !ts.isJsxSelfClosingElement(child)) return false
    const opening = ts.isJsxElement(child) ? child.openingElement : child
    const name = opening.tagName.getText()
    if (/^[a-z]/.test(name) || MACROS.has(name)) return false
    const returned = checker.getResolvedSignature(opening)?.getReturnType()
    const types = returned?.isUnion() ? returned.types : returned ? [returned] : []
    const visible = types.filter(
      ({ flags }) => !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Boolean)),
    )
    return visible.length > 0 && visible.every(isText)
  }
  /** True for a `<Text>` that is empty for some values. The text node then appears and disappears. */
  const mayBeEmpty = (child: Child) =>
    ts.isJsxElement(child) &&
    child.openingElement.tagName.getText() === 'Text' &&
    child.children.some((inner) => {
      if (!ts.isJsxExpression(inner) || !inner.expression) return false
      const type = checker.getTypeAtLocation(inner.expression)
      const { Null, Undefined, BooleanLike } = ts.TypeFlags
      return (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & (Null | Undefined | BooleanLike))
    })
  for (const file of files) {
    const report = (node: ts.Node, why: string) => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      const text = node.getText(file).replaceAll(/\s+/g, ' ').slice(0, 60)
      findings.push(`${file.fileName.slice(root.length)}:${line + 1} ${text} ${why}`)
    }
    const inspect = (node: ts.JsxElement | ts.JsxFragment, tag: string) => {
      const children = node.children.filter(isVisible)
      let mayShift = false
      for (const child of children) {
        if (PLAIN.has(tag)) {
          if (!ts.isJsxText(child) && !ts.isJsxExpression(child)) report(child, `is an element in <${tag}>`)
        } else if (ts.isJsxText(child)) {
          if (tag === '') report(child, 'is a text in a fragment')
          else if (mayShift) report(child, 'is a text after something that comes and goes')
        } else if (ts.isJsxExpression(child) && child.expression && !ts.isStringLiteral(child.expression)) {
          const isAlone = children.length === 1 && tag !== ''
          if (!isAlone && isText(checker.getTypeAtLocation(child.expression)))
            report(child, 'may be a text and is not the only child of its element')
          mayShift = true
        } else if (returnsText(child) && (children.length > 1 || tag === ''))
          report(child, 'returns a text and is not the only child of its element')
        else if (mayBeEmpty(child)) mayShift = true
      }
    }
    const visit = (node: ts.Node, inMacro: boolean): void => {
      if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) {
        ts.forEachChild(node, (child) => visit(child, inMacro && !ts.isJsxAttributes(node)))
        return
      }
      const tag = ts.isJsxElement(node) ? node.openingElement.tagName.getText(file) : ''
      // Inside a macro, all texts and values of an element become one text, which needs no check.
      const isOneText = inMacro && node.children.every((child) => ts.isJsxText(child) || ts.isJsxExpression(child))
      if (!MACROS.has(tag) && !isOneText) inspect(node, tag)
      ts.forEachChild(node, (child) => visit(child, MACROS.has(tag) || inMacro))
    }
    visit(file, false)
  }
  return { files: files.length, findings }
}
