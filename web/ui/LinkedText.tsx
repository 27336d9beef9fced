import type { ReactNode } from 'react'
import { Text } from './Text.tsx'

/** A web address. The punctuation after it belongs to the sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"“”]*[^\s<>"“”.,;:!?)\]}'’])/i

/** Plain text in which web addresses are links. They open in a new tab. */
export const LinkedText = ({ children }: { children: string }): ReactNode =>
  children.split(ADDRESS).map((part, at) =>
    at % 2 === 1 && URL.canParse(part) ? (
      <a key={at} className="link" href={part} target="_blank" rel="noopener noreferrer" translate="no">
        {part}
      </a>
    ) : (
      part !== '' && <Text key={at}>{part}</Text>
    ),
  )
