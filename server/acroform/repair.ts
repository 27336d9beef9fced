import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  type PDFField,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'

const key = (name: string) => PDFName.of(name)

/** Flags of buttons (ISO 32000-1, table 226). */
const RADIO = 1 << 15
const PUSH_BUTTON = 1 << 16

/**
 * Attributes that a PDF field may inherit from its parents or store in its widgets. The library reads some of them only
 * from the field itself.
 */
const INHERITED = ['FT', 'Ff', 'Opt', 'MaxLen', 'Q', 'DA', 'TU']

/** Maximum depth of the field tree. A deeper tree means that the file is damaged. */
const MAX_DEPTH = 32

const DEFAULT_APPEARANCE = '/Helv 0 Tf 0 g'

interface Node {
  ref: PDFRef
  dict: PDFDict
}

/**
 * Repairs the fields of a PDF, because some programs store fields where the library does not find them. Each widget
 * joins the field tree, and each field gets its own attributes. Changes the document only in memory, and always in the
 * same way.
 * @returns names of fields without a type, which people can't fill in
 */
export function repairFields(document: PDFDocument): string[] {
  const widgets = widgetsOf(document)
  const form = acroFormOf(document, widgets.length > 0)
  if (!form) return []
  const tree = new Tree(document, form)
  for (const widget of widgets) tree.hang(widget)
  tree.link()
  tree.repair()
  return tree.untyped
}

/** Lists the widgets in page order, each with the page that shows it. */
function widgetsOf(document: PDFDocument): Node[] {
  const widgets = new Map<PDFDict, Node>()
  for (const page of document.getPages()) {
    const annotations = page.node.lookup(key('Annots'))
    if (!(annotations instanceof PDFArray)) continue
    for (const node of nodesOf(document, annotations)) {
      if (widgets.has(node.dict) || node.dict.lookup(key('Subtype')) !== key('Widget')) continue
      node.dict.set(key('P'), page.ref)
      widgets.set(node.dict, node)
    }
  }
  return [...widgets.values()]
}

/** Returns the dictionaries in an array with their references. Replaces inline dictionaries with references. */
function nodesOf({ context }: PDFDocument, array: PDFArray): Node[] {
  const nodes: Node[] = []
  for (let at = 0; at < array.size(); at += 1) {
    const dict = array.lookup(at)
    if (!(dict instanceof PDFDict)) continue
    const entry = array.get(at)
    const ref = entry instanceof PDFRef ? entry : context.register(dict)
    if (ref !== entry) array.set(at, ref)
    nodes.push({ ref, dict })
  }
  return nodes
}

function acroFormOf({ catalog, context }: PDFDocument, isNeeded: boolean): PDFDict | undefined {
  const form = catalog.lookup(key('AcroForm'))
  if (form instanceof PDFDict) return form
  if (!isNeeded) return undefined
  const made = context.obj({ Fields: [] })
  catalog.set(key('AcroForm'), context.register(made))
  return made
}

/** Returns the partial name of a field. '' if it has none. */
function nameOf(dict: PDFDict): string {
  const name = dict.lookup(key('T'))
  return name instanceof PDFString || name instanceof PDFHexString ? name.decodeText() : ''
}

class Tree {
  readonly untyped: string[] = []
  readonly #document: PDFDocument
  readonly #form: PDFDict
  readonly #seen = new Set<PDFDict>()
  #nameless = 0

  constructor(document: PDFDocument, form: PDFDict) {
    this.#document = document
    this.#form = form
    this.link()
  }

  /** Rebuilds the links between fields. Links each field only once, so that no field refers to itself. */
  link(): void {
    this.#seen.clear()
    this.#link(this.#arrayOf(this.#form, 'Fields'), null, 0)
  }

  #arrayOf(dict: PDFDict, name: string): PDFArray {
    const array = dict.lookup(key(name))
    if (array instanceof PDFArray) return array
    const made = this.#document.context.obj([])
    dict.set(key(name), made)
    return made
  }

  #link(array: PDFArray, parent: PDFRef | null, depth: number): void {
    const validNodes = nodesOf(this.#document, array).filter(({ dict }) => depth < MAX_DEPTH && !this.#seen.has(dict))
    while (array.size() > 0) array.remove(array.size() - 1)
    for (const { ref, dict } of validNodes) {
      if (this.#seen.has(dict)) continue
      this.#seen.add(dict)
      array.push(ref)
      if (parent) dict.set(key('Parent'), parent)
      else dict.delete(key('Parent'))
      const kids = dict.lookup(key('Kids'))
      if (!(kids instanceof PDFArray)) continue
      this.#link(kids, ref, depth + 1)
      if (kids.size() === 0) dict.delete(key('Kids'))
    }
  }

  /** Adds a widget and its parents to the field tree if they are missing from it. */
  hang(widget: Node): void {
    let node = widget
    const climbed = new Set<PDFDict>()
    for (let depth = 0; depth < MAX_DEPTH && !this.#seen.has(node.dict); depth += 1) {
      const above = node.dict.lookup(key('Parent'))
      const ref = node.dict.get(key('Parent'))
      this.#seen.add(node.dict)
      climbed.add(node.dict)
      const parent =
        above instanceof PDFDict && ref instanceof PDFRef && !climbed.has(above) ? { dict: above, ref } : null
      if (!parent) node.dict.delete(key('Parent'))
      const array = parent ? this.#arrayOf(parent.dict, 'Kids') : this.#arrayOf(this.#form, 'Fields')
      if (!nodesOf(this.#document, array).some(({ dict }) => dict === node.dict)) array.push(node.ref)
      if (!parent) return
      node = parent
    }
  }

  repair(): void {
    this.#repairAll(this.#arrayOf(this.#form, 'Fields'), null, 0)
  }

  #repairAll(array: PDFArray, parent: Node | null, depth: number): void {
    if (depth >= MAX_DEPTH) return
    this.#join(array, parent)
    for (const node of nodesOf(this.#document, array)) {
      const kids = this.#kidsOf(node.dict)
      const hasFields = kids.some(({ dict }) => nameOf(dict) !== '' || this.#kidsOf(dict).length > 0)
      if (hasFields && !this.#isGroup(node)) {
        this.#repairAll(this.#arrayOf(node.dict, 'Kids'), node, depth + 1)
        continue
      }
      for (const { dict } of kids) dict.delete(key('T'))
      if (!this.#complete(node)) array.remove(array.indexOf(node.ref) ?? -1)
    }
  }

  #kidsOf(dict: PDFDict): Node[] {
    const kids = dict.lookup(key('Kids'))
    return kids instanceof PDFArray ? nodesOf(this.#document, kids) : []
  }

  /**
   * Merges fields with the same name, because a form shows the same answer in each. If their types differ, the later
   * field gets another name.
   */
  #join(array: PDFArray, parent: Node | null): void {
    const first = new Map<string, Node>()
    for (const node of nodesOf(this.#document, array)) {
      const name = nameOf(node.dict)
      const same = name === '' ? undefined : first.get(name)
      if (!same) {
        if (name !== '') first.set(name, node)
        continue
      }
      if (this.#typeOf(same.dict) === this.#typeOf(node.dict)) {
        const whole = this.#kidsOf(same.dict).length > 0 ? same : this.#wrap(same, array, parent)
        first.set(name, whole)
        this.#moveInto(whole, node)
        array.remove(array.indexOf(node.ref) ?? -1)
      } else {
        let nth = 2
        while (first.has(`${name} (${nth})`)) nth += 1
        node.dict.set(key('T'), PDFHexString.fromText(`${name} (${nth})`))
        first.set(`${name} (${nth})`, node)
      }
    }
  }

  #typeOf(dict: PDFDict): string {
    const kids = this.#kidsOf(dict)
    const type = attributeOf(dict, 'FT') ?? kids.map((kid) => kid.dict.lookup(key('FT'))).find(Boolean)
    return `${type instanceof PDFName ? type.asString() : ''}${kids.some((kid) => nameOf(kid.dict) !== '') ? ' with fields' : ''}`
  }

  /** Splits a field that is also its own widget into a field and a separate widget. */
  #wrap({ ref, dict }: Node, array: PDFArray, parent: Node | null): Node {
    const { context } = this.#document
    const field = context.obj({})
    for (const name of [...INHERITED, 'T', 'TM', 'V', 'DV']) {
      const value = dict.get(key(name))
      if (value !== undefined) field.set(key(name), value)
    }
    const made = { ref: context.register(field), dict: field }
    if (parent) field.set(key('Parent'), parent.ref)
    field.set(key('Kids'), context.obj([ref]))
    dict.delete(key('T'))
    dict.set(key('Parent'), made.ref)
    array.set(array.indexOf(ref) ?? 0, made.ref)
    return made
  }

  #moveInto(whole: Node, node: Node): void {
    const kids = this.#kidsOf(node.dict)
    if (kids.length === 0) node.dict.delete(key('T'))
    for (const one of kids.length > 0 ? kids : [node]) {
      for (const name of ['FT', 'Ff']) {
        const value = attributeOf(one.dict, name)
        if (value !== undefined && !one.dict.has(key(name)) && nameOf(one.dict) === '') one.dict.set(key(name), value)
      }
      one.dict.set(key('Parent'), whole.ref)
      this.#arrayOf(whole.dict, 'Kids').push(one.ref)
    }
  }

  /** True if the fields below this one are radio buttons of one choice, but have different names. */
  #isGroup({ dict }: Node): boolean {
    const kids = this.#kidsOf(dict)
    const values = kids.map((kid) => onValueOf(kid.dict))
    return (
      kids.length > 1 &&
      kids.every((kid) => this.#kidsOf(kid.dict).length === 0 && (flagsOf(kid.dict) & RADIO) !== 0) &&
      values.every((value) => value !== null) &&
      new Set(values).size === kids.length
    )
  }

  /** Copies inherited attributes from parents or widgets to a field. @returns false if it has no type */
  #complete({ dict }: Node): boolean {
    const kids = this.#kidsOf(dict)
    for (const name of INHERITED) {
      if (dict.has(key(name))) continue
      const ofKids = kids.map((kid) => kid.dict.get(key(name))).find((value) => value !== undefined)
      const ofForm = name === 'DA' || name === 'Q' ? this.#form.get(key(name)) : undefined
      const value = (name === 'TU' ? undefined : attributeOf(dict, name)) ?? ofKids ?? ofForm
      if (value !== undefined) dict.set(key(name), value)
    }
    if (!(dict.lookup(key('DA')) instanceof PDFString) && !(dict.lookup(key('DA')) instanceof PDFHexString))
      dict.set(key('DA'), PDFString.of(DEFAULT_APPEARANCE))
    const type = dict.lookup(key('FT'))
    if (!(type instanceof PDFName)) {
      if (nameOf(dict) !== '') this.untyped.push(nameOf(dict))
      return false
    }
    if (nameOf(dict) === '') dict.set(key('T'), PDFHexString.fromText(`Field ${(this.#nameless += 1)}`))
    const flags = flagsOf(dict) | shared(kids.map((kid) => flagsOf(kid.dict)))
    dict.set(key('Ff'), PDFNumber.of(type === key('Btn') ? flags | choiceFlag(kids, flags) : flags))
    return true
  }
}

/**
 * Returns the radio button flag if the boxes have different values. In Acrobat, boxes with the same name and different
 * values exclude each other.
 */
function choiceFlag(kids: readonly Node[], flags: number): number {
  const values = new Set(kids.map(({ dict }) => onValueOf(dict)).filter((value) => value !== null))
  return values.size > 1 && (flags & PUSH_BUTTON) === 0 ? RADIO : 0
}

const shared = (flags: readonly number[]): number => (flags.length === 0 ? 0 : flags.reduce((all, one) => all & one))

function flagsOf(dict: PDFDict): number {
  const flags = dict.context.lookup(attributeOf(dict, 'Ff'))
  return flags instanceof PDFNumber ? flags.asNumber() : 0
}

/** Returns an attribute of a field, or of its nearest parent that has the attribute. */
function attributeOf(dict: PDFDict, name: string): PDFObject | undefined {
  let node: PDFObject | undefined = dict
  for (let depth = 0; depth < MAX_DEPTH && node instanceof PDFDict; depth += 1) {
    const value = node.get(key(name))
    if (value !== undefined) return value
    node = node.lookup(key('Parent'))
  }
  return undefined
}

/** Returns the name of the state that checks a box. Null if the widget has no such state. */
function onValueOf(dict: PDFDict): string | null {
  const appearances = dict.lookup(key('AP'))
  const normal = appearances instanceof PDFDict ? appearances.lookup(key('N')) : undefined
  if (!(normal instanceof PDFDict)) return null
  const state = normal.keys().find((name) => name !== key('Off'))
  return state?.decodeText() ?? null
}

/** True if the field has a position on a page. A field without a position is invisible. */
export const isVisible = (one: PDFField): boolean =>
  one.acroField.getWidgets().some(({ dict }) => dict.has(key('P')) && dict.has(key('Rect')))

/**
 * Reads the font size of a default appearance such as `/Helv 9 Tf 0 g`. A size of 0 means that the PDF program chooses
 * the size.
 */
export function sizeOf(appearance: string): { declaredSize: number; withSize: (size: number) => string } {
  const match = /(\/[^\s/]+)\s+(-?\d*\.?\d+)?\s*Tf/.exec(appearance)
  const size = Math.abs(Number(match?.[2] ?? 0))
  return {
    declaredSize: Number.isFinite(size) ? size : 0,
    withSize: (size) =>
      match ? appearance.replace(match[0], `${match[1]} ${size} Tf`) : `/Helv ${size} Tf ${appearance}`.trimEnd(),
  }
}
