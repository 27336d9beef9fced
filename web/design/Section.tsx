import type { ReactNode } from 'react'
import { Text } from '../ui/Text.tsx'

const idOf = (title: string) => title.toLowerCase().replaceAll(/\W+/g, '-')

/** A part of the design page, reachable as `/design#its-title`. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section id={idOf(title)} aria-labelledby={`${idOf(title)}-title`} className="border-line border-t py-8">
    <h2 id={`${idOf(title)}-title`} className="mb-5">
      {title}
    </h2>
    <Text>{children}</Text>
  </section>
)

export const Row = ({ children }: { children: ReactNode }) => (
  <div className="mb-4 flex flex-wrap items-end gap-3">{children}</div>
)

export const Columns = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">{children}</div>
)
