import { compileMessage } from '@lingui/message-utils/compileMessage'

/** The parts of Babel's types that this file uses. */
interface Node {
  type: string
  value?: unknown
  key?: Node & { name?: string }
  properties?: Node[]
}
interface Path {
  node: Node
  traverse: (visitor: Record<string, (path: Path) => void>) => void
}
interface Babel {
  types: { valueToNode: (value: unknown) => Node }
}

/** Only messages with these characters have syntax that needs compiling. */
const HAS_SYNTAX = /[{}']/

const property = (object: Node, name: string) =>
  object.properties?.find(({ type, key }) => type === 'ObjectProperty' && (key?.name === name || key?.value === name))

/**
 * A Babel plugin that runs after Lingui's macro and compiles the English messages with values or plurals. `"Pay
 * {amount}"` becomes `["Pay ", ["amount"]]`, so the browser needs no message parser.
 */
export const compileMessages = ({ types }: Babel) => ({
  name: 'compile-messages',
  visitor: {
    Program: {
      exit: (program: Path) =>
        program.traverse({
          ObjectExpression: ({ node }) => {
            const message = property(node, 'message')
            const text = (message?.value as Node | undefined)?.value
            if (!message || !property(node, 'id') || typeof text !== 'string' || !HAS_SYNTAX.test(text)) return
            message.value = types.valueToNode(compileMessage(text))
          },
        }),
    },
  },
})
