import { Code } from '../Text.tsx'

/** Email address in a table. It wraps anywhere where the row may have several lines. */
export const EmailText = ({ text }: { text: string }) => <Code className="wrap-break-word">{text}</Code>
