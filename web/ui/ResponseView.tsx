import type { ReactNode } from 'react'
import { CloseAction, SlideOut } from './Dialog.tsx'
import { Failed, LoadingState } from './States.tsx'
import { Text } from './Text.tsx'

export interface ResponseViewProps<Data> {
  response: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> }
  /** Loading text: 'Loading the request'. */
  loading: ReactNode
  shape?: 'lines' | 'rows' | 'block'
  rows?: number
  /** Error title: 'This request could not be loaded'. */
  failed?: ReactNode
  /** Explains the next step if the record is missing, such as a link to its list. */
  instead?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows the response of a call, a loading text, or an error with a retry button. Loaded content stays visible if a
 * later reload fails.
 */
export function ResponseView<Data>({
  response: reply,
  loading,
  failed,
  instead,
  children,
  ...skeleton
}: ResponseViewProps<Data>) {
  const { data, error, refetch } = reply
  if (data !== undefined) return children(data)
  if (error) return <Failed error={error} title={failed} instead={instead} onRetry={() => void refetch()} />
  return <LoadingState {...skeleton}>{loading}</LoadingState>
}

export interface ResponsePanelProps<Data> extends ResponseViewProps<Data> {
  title: ReactNode
  onClose: () => void
}

/** A panel that shows its content once loaded, and a loading state before that. */
export const OnceLoaded = <Data,>({ children, ...panel }: ResponsePanelProps<Data>) =>
  panel.response.data === undefined ? (
    <ResponseSlideOut {...panel}>{() => null}</ResponseSlideOut>
  ) : (
    children(panel.response.data)
  )

interface SlideOutProps<Data> extends ResponsePanelProps<Data> {
  /** Returns the title after loading. Until then, `title` is shown. */
  named?: (data: Data) => ReactNode
  /** Returns the buttons before the Close button. */
  actions?: (data: Data) => ReactNode
}

/** Panel on the right side with a record: the response of a call, action buttons, and a Close button. */
export function ResponseSlideOut<Data>(props: SlideOutProps<Data>) {
  const { title, onClose, named, actions, shape = 'lines', ...viewProps } = props
  const { data } = viewProps.response
  return (
    <SlideOut
      title={(data !== undefined && named?.(data)) || title}
      onClose={onClose}
      actions={
        <>
          <Text>{data !== undefined && actions?.(data)}</Text>
          <CloseAction onClose={onClose} />
        </>
      }
    >
      <ResponseView shape={shape} {...viewProps} />
    </SlideOut>
  )
}
