import type { ReactNode } from 'react'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { requestStates, type RequestStatus } from '../../states.ts'
import { Code, Text } from '../../../../web/ui/Text.tsx'

interface RequestLineProps {
  title: string
  number: string
  status: RequestStatus
  location: string
  /** Text after the location. */
  children: ReactNode
}

/** Public request in a list, without its requester. */
export const RequestLine = ({ title, number, status, location, children }: RequestLineProps) => (
  <>
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <span className="font-bold">
        <Text>{title}</Text> <Code className="font-normal text-muted">{number}</Code>
      </span>
      <StateBadge of={requestStates} state={status} />
    </div>
    <p className="text-muted text-sm">
      <Text>{location && `${location} · `}</Text>
      <Text>{children}</Text>
    </p>
  </>
)
