import { Text } from '../Text.tsx'

/** Email address in a table. It wraps before the @, or anywhere if that is not enough. */
export function EmailText({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  return (
    <span translate="no" className="wrap-break-word">
      <Text>{text.slice(0, at)}</Text>
      <wbr />
      <Text>{text.slice(at)}</Text>
    </span>
  )
}
