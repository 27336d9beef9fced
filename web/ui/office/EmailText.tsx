/** An email in a table: it breaks before the @ where it has to, and anywhere only where that does not do. */
export function EmailText({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  return (
    <span className="whitespace-normal wrap-break-word">
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  )
}
