/**
 * Finds the sentences for readers outside the screens' macros: in contracts, rules, lists, states, emails and errors.
 * Every string that looks like words counts as a sentence, so that developers do not need to register it. Exceptions
 * are declared below.
 */
import ts from 'typescript'

interface ExtractedMessage {
  message: string
  line: number
  /** Meaning of each placeholder, for translators. */
  values: string[]
}

interface Mistake {
  line: number
  text: string
  /** Instruction for correcting the mistake. */
  why: string
}

/**
 * Files with strings that are not translated. The strings are either for operators and developers, in English like the
 * log, or only look like words.
 */
const NOT_FOR_READERS: readonly [RegExp, string][] = [
  [/\.test\.tsx?$|\.d\.ts$/, 'tests'],
  [/(^|\/)demo[^/]*\.ts$/, 'what the demo towns and their people wrote'],
  [/^(server|portal)\/(commands|backup|db)\/|^portal\/(main|design)\./, 'commands of the operator'],
  [
    /^server\/(config|main|welcome|gateway-process|secret-key|made-secrets|start-error|lifetime|ports)\.ts$/,
    'the start, read by the operator',
  ],
  [/^server\/verify\.ts$|^features\/[^/]+\/server\/(?:[^/]+\/)?verify-[^/]+\.ts$/, 'the report of `npm run verify`'],
  [
    /^features\/utility-accounts\/server\/(bill-layout|line-values|import-(bills|file|reads)|load-(bills|reads|records)|read-layout|record-layout)\.ts$/,
    'the report of `npm run import`',
  ],
  [
    /^features\/billing-files\/(commands\/import|server\/folder)\.ts$/,
    'reports of the command and of the watched folder',
  ],
  [
    /^features\/payments\/server\/(attempts\/apply-intent|ledger\/book|providers\/(bankfile|method-label|providers|sandbox-methods|(sandbox|stripe)\/[^/]+))\.ts$/,
    'alerts and what was paid with, which are kept in English',
  ],
  [
    /^server\/(sms|voice)\/(callbacks|provider|sandbox(-phones)?|signed-calls|twilio(-api)?|twiml)\.ts$/,
    'what providers of texts and calls and we say to each other',
  ],
  [
    /^server\/voice\/phrases\.ts$|^features\/alerts\/server\/spoken\.ts$/,
    'what a call says in each language that it speaks',
  ],
  [/^features\/phone-payments\/server\/(voice|twiml)\.ts$/, 'what whoever carries calls and we say to each other'],
  [/^server\/(api-docs|metrics|log|response-watchers|stopped-jobs)\.ts$/, 'read by developers and machines'],
  [/^web\/(design|build)\/|^web\/main-design/, 'the page on which the design is looked at'],
  [
    /^shared\/decency\.ts$|^server\/sms\/keywords\.ts$|^server\/(places\/words|guess-columns)\.ts$|^features\/faqs\/server\/search-words\.ts$/,
    'lists of words that are compared, not shown',
  ],
  [
    /^features\/faqs\/(judged-paraphrases|commands\/make-vocabulary)\.ts$/,
    'what judges the search, and what makes its words',
  ],
  [/^features\/alerts\/cap\/message\.ts$/, 'what stations say to each other'],
  [/^server\/acroform\/repair\.ts$/, 'names of the parts of a PDF'],
  [/^shared\/messages\.ts$/, 'the form itself'],
]

export const isForReaders = (file: string): boolean =>
  /^(shared|server|web|features|portal)\/.*\.tsx?$/.test(file) &&
  !NOT_FOR_READERS.some(([pattern]) => pattern.test(file))

/** Strings on a screen that are not sentences. */
const UNITS = /^(Mainstreet|kB\)|ms)$/

/** Strings that look like words but are not translated. */
const NON_TEXT = new Set([
  // Names that are the same in every language, and names stored in the database.
  ...['Mainstreet', 'Mainstreet Admin', 'Edge', 'Opera', 'Firefox', 'Chrome', 'Safari', 'Android', 'Windows', 'Linux'],
  ...['America/New_York', 'Platform', 'Administrator', 'Guest', 'Zone', 'single sign-on', 'Test payment'],
  // Strings for other programs, and for card statements.
  ...[
    'SERVICE FEE',
    'openid email profile',
    'noopener noreferrer',
    'Type',
    'Invalid',
    'Invalid input',
    'Launch',
    'Bearer 0',
    'public, max-age=0',
    'private, no-store',
  ],
  ...['mainstreet jobs', 'jobs listener', 'is not', 'not in', 'Written at the start, to see that it can be.'],
  // Strings that are only logged or compared.
  ...['the gateway did not answer', 'the gateway answered in another shape', 'the gateway answered 0', 'the platform'],
  ...[
    'the gateway answered 0: 0',
    'the signature is wrong',
    'the event is too old or too new',
    'no answer',
    'recovery code',
    'the payment provider is known to be out',
    // Name endings of numeric parameters.
    'Id',
  ],
  ...[
    'holds others',
    'the virus scanner 0',
    'cannot be reached: 0',
    'more than the scanner looks at',
    'does not answer',
  ],
  ...[
    'answers too much',
    'hung up',
    'sealed texts',
    'longer waits',
    'a job failed',
    'the job’s worker process stopped',
  ],
  // Values that only code uses.
  ...['leave out', 'not yet', 'wrote again'],
])

/** True if a string has an uppercase letter followed by lowercase letters, or two adjacent words. */
const looksLikeText = (text: string, onScreen: boolean): boolean =>
  !NON_TEXT.has(text) &&
  !/^(BEGIN|COPY|SELECT|WITH|INSERT|<)|[{}]/.test(text) &&
  (/^[“"]?[A-Z][a-z’']*[a-z](?:[\s.,:?!…/]|$)/.test(text) ||
    /^[A-Z] [a-z]+ /.test(text) ||
    (!onScreen && /(?:^|\s)0 [a-z]{2,}[ .!?]|[a-z]{2,} 0[ .!?]/.test(text)) ||
    (!onScreen && /(?:^|[\s“])[a-z]{2,}[,.:;]? [a-z]{2,}/i.test(text) && !/ as \w+$|[_<>=]/.test(text)))

/** Functions that create errors. Their message is translated when the error is sent (`server/errors.ts`). */
const REFUSALS = /^(malformed|notSignedIn|notAllowed|notFound|conflict|rejected|tooMany|refuse|Refusal|CallError)$/

/** Declarations with texts that a form, list, button or email translates when it shows them. */
const DECLARATIONS = /^(z|filters)\.\w+$|^(define[A-Z]\w+|text|whole|cents|instant|choice|code|flag)$/

/** Names of properties with notes for developers, or with names and values of imported files. */
const NOTES = /^(summary|unindexed|aliases|sample|preset)$/

/** Names of properties with lowercase words that become part of other sentences. */
const PARTS = /^(nouns|done|called)$/

export function findSentences(file: string, code: string): { sentences: ExtractedMessage[]; mistakes: Mistake[] } {
  const source = ts.createSourceFile(
    file,
    code,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const onScreen = /^web\/|^features\/[^/]+\/web\//.test(file)
  const sentences: ExtractedMessage[] = []
  const mistakes: Mistake[] = []
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1
  const mistake = (node: ts.Node, why: string) =>
    mistakes.push({ line: lineOf(node), text: node.getText().slice(0, 160), why })

  function visit(node: ts.Node): void {
    if (isSkipped(node)) return
    if (ts.isTaggedTemplateExpression(node)) return tagged(node)
    if (ts.isStringLiteralLike(node)) return literal(node)
    if (ts.isTemplateExpression(node) && looksLikeText(textOf(node), onScreen))
      mistake(node, 'Write it with say`…`, so that the values are apart from the words.')
    if (ts.isJsxText(node) && /[a-z]{2}/i.test(node.text) && !UNITS.test(node.text.trim()))
      mistake(node, 'Put it into <Trans>.')
    if (ts.isPropertyAssignment(node)) return NOTES.test(node.name.getText()) ? undefined : visit(node.initializer)
    ts.forEachChild(node, visit)
  }

  function literal(node: ts.StringLiteralLike): void {
    const declared = isPart(node)
    if (!declared && !looksLikeText(node.text, onScreen)) return
    if (!declared && isMadeWhileSomebodyWaits(node))
      return void mistake(node, 'Write it with say`…`: nobody looks it up later.')
    sentences.push({ message: node.text, line: lineOf(node), values: [] })
  }

  function tagged({ tag, template }: ts.TaggedTemplateExpression): void {
    if (tag.getText() === 'say') {
      if (isRuleOfForm(template.parent))
        mistake(template, 'Write { error: () => say`…` }: a rule is made once for all readers.')
      else if (!isInFunction(template))
        mistake(template, 'Put it into a function: here it is made once for all readers.')
      sentences.push(messageOf(template, lineOf(template)))
    }
    if (ts.isTemplateExpression(template) && !MACROS.test(tag.getText()))
      for (const { expression } of template.templateSpans) visit(expression)
  }

  visit(source)
  return { sentences, mistakes }
}

/** Lingui's macros. Lingui's own tool extracts their messages. */
const MACROS = /^(t|msg|defineMessage)$/

function isSkipped(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  // Developers read these errors in the log, except errors of calls and of import rows.
  if (ts.isNewExpression(node))
    return (
      /(Error|InnerAddress)$/.test(node.expression.getText()) &&
      !/^(CallError|RowError|LineError)$/.test(node.expression.getText())
    )
  if (
    ts.isCallExpression(node) &&
    /(^|\.)(log|console)\.|\.(header|struct|markContent)$/.test(node.expression.getText())
  )
    return true
  if (ts.isCallExpression(node) && /^(plural|msg|t|select)$/.test(node.expression.getText())) return true
  if (ts.isJsxElement(node)) return node.openingElement.tagName.getText() === 'Trans'
  if (ts.isJsxSelfClosingElement(node)) return /^(Trans|Plural|Select)$/.test(node.tagName.getText())
  if (ts.isJsxAttribute(node)) return /^(className|style|autoComplete|d|sizes)$/.test(node.name.getText())
  if (ts.isStringLiteralLike(node)) return isCompared(node) || isSplit(node)
  return false
}

function isCompared({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return /^[!=]==?$/.test(parent.operatorToken.getText())
  return ts.isElementAccessExpression(parent) || (ts.isCaseClause(parent) && parent.expression !== undefined)
}

const isSplit = ({ parent }: ts.Node): boolean => ts.isPropertyAccessExpression(parent) && parent.name.text === 'split'

const textOf = (node: ts.TemplateExpression): string =>
  node.head.text + node.templateSpans.map(({ literal }) => `0${literal.text}`).join('')

/** Returns the message that `say` looks up at run time. */
function messageOf(template: ts.TemplateLiteral, line: number): ExtractedMessage {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { message: template.text, line, values: [] }
  const parts = template.templateSpans.map(({ expression, literal }, n) => placeholder(expression, n) + literal.text)
  const values = template.templateSpans.map(({ expression }) => expression.getText().replaceAll(/\s+/g, ' '))
  return { message: template.head.text + parts.join(''), line, values }
}

function placeholder(expression: ts.Expression, n: number): string {
  if (!ts.isCallExpression(expression) || expression.expression.getText() !== 'plural') return `{${n}}`
  const [one, other] = expression.arguments.slice(1).map((form) => (ts.isStringLiteralLike(form) ? form.text : ''))
  return `{${n}, plural, one {${one}} other {${other}}}`
}

/** Returns the outermost expression around a string that only chooses between strings, such as a conditional. */
function outermostChoiceOf(node: ts.Node): ts.Node {
  const { parent } = node
  const chooses =
    ts.isParenthesizedExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isBinaryExpression(parent) && /^(\?\?|\|\||&&)$/.test(parent.operatorToken.getText()))
  return chooses ? outermostChoiceOf(parent) : node
}

const calleeOf = (node: ts.Node): string =>
  ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText() : ''

function isPart(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isPropertyAssignment(at)) return PARTS.test(at.name.getText())
    if (!ts.isArrayLiteralExpression(at) && !ts.isConditionalExpression(at)) return false
  }
  return false
}

/** True if a string is an argument of a zod schema, which is created when the file loads. */
function isRuleOfForm(node: ts.Node): boolean {
  const { parent } = outermostChoiceOf(node)
  return /^z\.|\.(check|refine)$/.test(calleeOf(parent))
}

function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (ts.isFunctionLike(at)) return true
  return false
}

function isMadeWhileSomebodyWaits(node: ts.Node): boolean {
  const start = outermostChoiceOf(node)
  for (let at: ts.Node = start; at.parent; at = at.parent) {
    const { parent } = at
    const callee = calleeOf(parent)
    // These texts are translated later: when an error is sent, a form shows its errors, or an email is rendered.
    if (REFUSALS.test(callee) || DECLARATIONS.test(callee)) return false
    if (ts.isPropertyAssignment(parent) && /^(message|msg)$/.test(parent.name.getText())) return false
    if (ts.isParameter(parent)) return false
    if (ts.isFunctionLike(parent)) return true
  }
  return false
}
