import type { ReactNode } from 'react'
import { Text } from '../../../../web/ui/Text.tsx'

/** Shows a section of an alert with a heading. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-line border-t pt-5">
    <h3 className="mb-2 text-lg">{title}</h3>
    <Text>{children}</Text>
  </section>
)
