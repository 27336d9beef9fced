/** A text with the matched words highlighted. */
export const Marked = ({ text, lexemes }: { text: string; lexemes: readonly string[] }) =>
  text.split(/(\p{L}+)/u).map((part, at) => {
    const word = part.toLowerCase()
    return lexemes.includes(word) ? (
      <mark key={at} className="rounded-xs bg-tint-2 text-ink">
        {part}
      </mark>
    ) : (
      part
    )
  })
