import { Fragment, type ReactNode } from 'react'
import { setQuery } from './go.ts'
import { idIn } from './id-in.ts'
import { useQueryParam } from './routes.tsx'

interface QuestionProps {
  /** Name of the query parameter: `?hydrant=12`. */
  name: string
  children: (id: number, close: () => void) => ReactNode
  /** Renders the form for a new record, if the URL has `?hydrant=new`. */
  another?: (close: () => void) => ReactNode
}

/** Shows the record with the id from the URL, over the current screen. A different id remounts the record. */
export function QueryItem({ name, children, another }: QuestionProps) {
  const param = useQueryParam(name) ?? ''
  const close = () => setQuery({ [name]: null })
  if (another && param === 'new') return another(close)
  const id = idIn(param)
  return id === null ? null : <Fragment key={id}>{children(id, close)}</Fragment>
}
