import type { ReactNode } from 'react'
import { page } from '../../../../web/page.ts'
import { Perforation, Sheet, SheetPart } from '../../../../web/ui/Card.tsx'
import { Plat, Seal } from '../../../../web/ui/Emblem.tsx'

/** Card on a dark background for the administrator sign-in. */
export const AdminEntry = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <div className="relative grid min-h-dvh place-items-center bg-deep px-4 py-10">
    <Plat seed="mainstreet-admin" className="absolute inset-0 h-full w-full" />
    <div className="relative w-full max-w-form">
      <p className="mb-4 flex items-center gap-3 font-bold font-display text-tile text-white">
        <Seal name="Mainstreet" size={40} />
        Mainstreet
      </p>
      <Sheet className="[--paper:var(--deep)]">
        <SheetPart>
          <h1 tabIndex={-1}>{title}</h1>
        </SheetPart>
        <Perforation />
        <SheetPart>{children}</SheetPart>
      </Sheet>
      <p className="mt-4 text-on-deep-soft text-xs">{page().version}</p>
    </div>
  </div>
)
