import { Text } from '../Text.tsx'

/** An email in a table: it breaks before the @ where it has to, and anywhere only where that does not do. */
export function EmailText({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  return (
    <span translate="no" className="whitespace-normal wrap-break-word">
      <Text>{text.slice(0, at)}</Text>
      <wbr />
      <Text>{text.slice(at)}</Text>
    </span>
  )
}
