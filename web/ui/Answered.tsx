import type { ReactNode } from 'react'
import { CloseAction, SlideOut } from './Dialog.tsx'
import { Failed, LoadingState } from './States.tsx'
import { Text } from './Text.tsx'

export interface AnsweredProps<Data> {
  /** What `useAnswer` gave. */
  answer: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> }
  /** What is being loaded: 'Loading the request'. */
  loading: ReactNode
  shape?: 'lines' | 'rows' | 'block'
  rows?: number
  /** What to say where it can't be had: 'This request could not be loaded'. */
  failed?: ReactNode
  /** Where a reader of a missing record goes on: a link to its list. */
  instead?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a call answers: on its way, failed with another try, or there. What is there stays in view where a later try fails. */
export function Answered<Data>({ answer, loading, failed, instead, children, ...skeleton }: AnsweredProps<Data>) {
  const { data, error, refetch } = answer
  if (data !== undefined) return children(data)
  if (error) return <Failed error={error} title={failed} instead={instead} onRetry={() => void refetch()} />
  return <LoadingState {...skeleton}>{loading}</LoadingState>
}

export interface AnsweredViewProps<Data> extends AnsweredProps<Data> {
  title: ReactNode
  onClose: () => void
}

/** A panel of its own, once it is known what it is about: until then, one that says so. */
export const OnceAnswered = <Data,>({ children, ...panel }: AnsweredViewProps<Data>) =>
  panel.answer.data === undefined ? (
    <AnsweredSlideOut {...panel}>{() => null}</AnsweredSlideOut>
  ) : (
    children(panel.answer.data)
  )

interface SlideOutProps<Data> extends AnsweredViewProps<Data> {
  /** Its name, once it is known; until then its title stands for it. */
  named?: (data: Data) => ReactNode
  /** What can be done with it, before Close. */
  actions?: (data: Data) => ReactNode
}

/** A thing in full, in a panel from the right: what a call answers about it, what can be done with it, and Close. */
export function AnsweredSlideOut<Data>(props: SlideOutProps<Data>) {
  const { title, onClose, named, actions, shape = 'lines', ...answered } = props
  const { data } = answered.answer
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
      <Answered shape={shape} {...answered} />
    </SlideOut>
  )
}
