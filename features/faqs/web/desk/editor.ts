import { Editor, Mark } from '@tiptap/core'
import Bold from '@tiptap/extension-bold'
import Document from '@tiptap/extension-document'
import Heading from '@tiptap/extension-heading'
import Italic from '@tiptap/extension-italic'
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list'
import Paragraph from '@tiptap/extension-paragraph'
import Text from '@tiptap/extension-text'
import { UndoRedo } from '@tiptap/extensions'
import { linkAddress, type RichText } from '../../rules.ts'
import { fromWord } from './from-word.ts'

/** A link as the rules have it: its address and nothing else. What is pasted with another address keeps its words alone. */
const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => linkAddress.safeParse(element.getAttribute('href')).success && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['a', HTMLAttributes, 0],
})

/** Nothing else can be typed, pasted or dropped than what the server takes (`richText` of the rules): the schema has no place for it. */
const extensions = [
  Document,
  Text,
  Paragraph,
  Bold,
  Italic,
  Link,
  Heading.configure({ levels: [3] }),
  BulletList,
  OrderedList.extend({ addAttributes: () => ({}) }),
  // Lists have one level; and Tab leads out of the field, as it does everywhere.
  ListItem.extend({
    content: 'paragraph+',
    addKeyboardShortcuts() {
      return { Enter: () => this.editor.commands.splitListItem(this.name) }
    },
  }),
  UndoRedo,
]

interface EditorOptions {
  place: HTMLElement
  value: RichText
  attributes: Readonly<Record<string, string>>
  onChange: (value: RichText) => void
  /** After each change of what is written or chosen. */
  onMoved: () => void
}

/** The editor of an answer. Whoever makes it destroys it. */
export const makeEditor = ({ place, value, attributes, onChange, onMoved }: EditorOptions): Editor =>
  new Editor({
    element: place,
    // The portal's policy lets no script add a style; rich-text.css has what is needed.
    injectCSS: false,
    extensions,
    content: value,
    editorProps: { attributes, transformPastedHTML: fromWord },
    onUpdate: ({ editor }) => onChange(editor.getJSON() as RichText),
    onTransaction: onMoved,
  })
