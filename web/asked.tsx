import { Fragment, type ReactNode } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'

interface QuestionProps {
  /** The address names it so: `?hydrant=12`. */
  name: string
  children: (id: number, close: () => void) => ReactNode
  /** Where one is made that has no number yet: `?hydrant=new`. */
  another?: (close: () => void) => ReactNode
}

/** The thing whose number the address names, over whatever stands on the screen. Another number is another thing. */
export function Asked({ name, children, another }: QuestionProps) {
  const asked = useQueryParam(name) ?? ''
  const close = () => setQuery({ [name]: null })
  if (another && asked === 'new') return another(close)
  if (!/^[1-9]\d{0,14}$/.test(asked)) return null
  return <Fragment key={asked}>{children(Number(asked), close)}</Fragment>
}
