import { createContext, type ReactNode } from 'react'
import { PageHead } from '../Page.tsx'
import { Text } from '../Text.tsx'

/** Title, tabs and buttons that a screen adds to the head of its lists. */
export interface ListFrameParts {
  /** Title of the screen. */
  title: ReactNode
  /** Links to the tabs of the screen. */
  tabs?: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  /** Buttons that are less frequent. They are in the menu `⋯`. */
  moreActions?: ReactNode
}

export const ListFrameContext = createContext<ListFrameParts | null>(null)

interface ListFrameProps extends ListFrameParts {
  /** True if the open tab is one list. The list then has the only heading of the screen, with tabs and buttons. */
  listed: boolean
  children: ReactNode
}

/** Screen with several tabs, mostly lists. One line has the title, the tabs and the buttons. */
export function ListFrame({ listed, children, ...parts }: ListFrameProps) {
  if (listed) return <ListFrameContext value={parts}>{children}</ListFrameContext>
  return (
    <>
      <PageHead
        title={parts.title}
        className="mb-4"
        actions={
          <>
            <Text>{parts.actions}</Text>
            <Text>{parts.moreActions}</Text>
          </>
        }
      />
      <Text>{parts.tabs}</Text>
      <Text>{children}</Text>
    </>
  )
}
