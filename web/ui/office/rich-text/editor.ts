import { Editor, Mark } from '@tiptap/core'
import Bold from '@tiptap/extension-bold'
import Document from '@tiptap/extension-document'
import Heading from '@tiptap/extension-heading'
import Italic from '@tiptap/extension-italic'
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list'
import Paragraph from '@tiptap/extension-paragraph'
import Text from '@tiptap/extension-text'
import { UndoRedo } from '@tiptap/extensions'
import { linkAddress, type RichText } from '../../../../shared/rich-text.ts'
import { fromWord } from './from-word.ts'

/** Link with only a URL, as the rules require. Pasted links with other URLs become plain text. */
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

const Underline = Mark.create({
  name: 'underline',
  parseHTML: () => [{ tag: 'u' }],
  renderHTML: () => ['u', 0],
  addKeyboardShortcuts() {
    return { 'Mod-u': () => this.editor.commands.toggleMark(this.name) }
  },
})

/**
 * The schema allows only content that the server accepts (`richText` in `shared/rich-text.ts`). Other content can't be
 * typed, pasted or dropped.
 */
export const extensions = [
  Document,
  Text,
  Paragraph,
  Bold,
  Italic,
  Underline,
  Link,
  Heading.configure({ levels: [3, 4] }),
  BulletList,
  OrderedList.extend({ addAttributes: () => ({}) }),
  // Lists have one level. Tab leaves the field, as in all other fields.
  ListItem.extend({
    content: 'paragraph+',
    addKeyboardShortcuts() {
      return { Enter: () => this.editor.commands.splitListItem(this.name) }
    },
  }),
  UndoRedo,
]

interface EditorOptions {
  element: HTMLElement
  value: RichText
  attributes: Readonly<Record<string, string>>
  onChange: (value: RichText) => void
  /** Called after each change of text or selection. */
  onMoved: () => void
}

/** Creates an editor. The caller must destroy it. */
export const makeEditor = ({ element, value, attributes, onChange, onMoved }: EditorOptions): Editor =>
  new Editor({
    element,
    // The content security policy forbids styles from scripts. rich-text.css has the styles.
    injectCSS: false,
    extensions,
    content: value,
    editorProps: { attributes, transformPastedHTML: fromWord },
    onUpdate: ({ editor }) => onChange(editor.getJSON() as RichText),
    onTransaction: onMoved,
  })
