import type { ReactNode } from 'react'
import { Link } from '../../../web/ui/Link.tsx'
import type { RichText, TextNode } from '../../../shared/rich-text.ts'
import { Marked } from './Marked.tsx'

interface Props {
  of: RichText
  /** Beginnings of the words to highlight. */
  lexemes: readonly string[]
}

/** An answer for residents, limited to the content that the schema allows. */
export const RichAnswer = ({ of, lexemes }: Props) => {
  const line = (content: readonly TextNode[] = []) =>
    content.map((part, at) => <Piece key={at} part={part} lexemes={lexemes} />)
  return of.content.map((block, at) => {
    if (block.type === 'paragraph') return <p key={at}>{line(block.content)}</p>
    if (block.type === 'heading') {
      const Heading = block.attrs.level === 3 ? 'h3' : 'h4'
      return <Heading key={at}>{line(block.content)}</Heading>
    }
    const List = block.type === 'bulletList' ? 'ul' : 'ol'
    return (
      <List key={at} className={List === 'ul' ? 'list-disc pl-6' : 'list-decimal pl-6'}>
        {block.content.map((item, index) => (
          <li key={index}>
            {item.content.map((paragraph, row) => (
              <p key={row}>{line(paragraph.content)}</p>
            ))}
          </li>
        ))}
      </List>
    )
  })
}

const MARKS = { bold: 'strong', italic: 'em', underline: 'u' } as const

function Piece({ part: { text, marks = [] }, lexemes }: { part: TextNode; lexemes: readonly string[] }): ReactNode {
  let piece: ReactNode = <Marked text={text} lexemes={lexemes} />
  for (const mark of marks) {
    if ('attrs' in mark)
      piece = (
        <Link className="link" to={mark.attrs.href}>
          {piece}
        </Link>
      )
    else {
      const Mark = MARKS[mark.type]
      piece = <Mark>{piece}</Mark>
    }
  }
  return piece
}
