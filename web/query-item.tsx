import { Fragment, type ReactNode } from 'react'
import { setQuery } from './go.ts'
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
  if (!/^[1-9]\d{0,14}$/.test(param)) return null
  return <Fragment key={param}>{children(Number(param), close)}</Fragment>
}
