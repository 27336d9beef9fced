const BULLET = /^\s*[•*-]\s+/

/** Text from the municipality, in paragraphs. Lines that start with a typed bullet become a list. */
export function BulletText({ children }: { children: string }) {
  const lines = children.split('\n').filter((line) => line.trim() !== '')
  const bullets = lines.filter((line) => BULLET.test(line))
  const first = lines.findIndex((line) => BULLET.test(line))
  const before = first < 0 ? lines : lines.slice(0, first)
  const after = first < 0 ? [] : lines.slice(first).filter((line) => !BULLET.test(line))
  return (
    <div className="flex flex-col gap-2 wrap-anywhere">
      {before.map((line, n) => (
        <p key={n}>{line}</p>
      ))}
      {bullets.length > 0 && (
        <ul className="list-disc ps-5">
          {bullets.map((line, n) => (
            <li key={n}>{line.replace(BULLET, '')}</li>
          ))}
        </ul>
      )}
      {after.map((line, n) => (
        <p key={n}>{line}</p>
      ))}
    </div>
  )
}
