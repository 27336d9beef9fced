import type { ReactNode } from 'react'
import { definePart } from '../../../../web/page-part.ts'
import type { ResponseViewProps } from '../../../../web/ui/ResponseView.tsx'
import type { SubmittedAnswers } from '../../contract.ts'

/** Slots of the rental screens. Features that depend on rentals provide the content of these slots. */

type Texts = Pick<ResponseViewProps<never>, 'loading' | 'failed' | 'instead'>

export interface QuestionsProps {
  resourceId: number
  /** Set if the reservation already exists. */
  reservationId?: number
  doneLabel: ReactNode
  /** Submits the answers. Shows an error above the button and keeps the typed answers. */
  onDone: (answers: SubmittedAnswers) => Promise<void>
}
/** Slot for the questions of a resource that a renter answers before the reservation. */
export const questions = definePart<QuestionsProps>('questions of a resource')

/** Sections on the screen of a resident's reservation. Their data is already loaded. */
export interface ConditionSections {
  agreement: (resourceId: number) => ReactNode
  certificate: ReactNode
  doorCode: ReactNode
  reload: () => Promise<unknown>
}
export interface ConditionsProps {
  reservationId: number
  texts: Texts
  /** Rendered after all sections have loaded, so that the content does not move while the resident reads. */
  children: (sections: ConditionSections) => ReactNode
}
export const conditions = definePart<ConditionsProps>('conditions of a reservation')

export interface SeasonCardsProps {
  texts: Texts
  /** Renders the screen after the cards have loaded. */
  children: (cards: ReactNode) => ReactNode
}
/** Slot for the allocation rounds above the list of resources. */
export const seasonCards = definePart<SeasonCardsProps>('rounds of a season')

/** Slot for the door code in the slide-out that shows a reservation to staff. */
export const staffDoorCode = definePart<{ reservationId: number }>('door code of a reservation')

export interface StaffConditionsProps {
  reservationId: number
  /** True if the reservation has ended, so that no one can add documents. */
  hasEnded: boolean
}
/** Slot for the agreement and the insurance certificate in the slide-out that shows a reservation to staff. */
export const staffConditions = definePart<StaffConditionsProps>('conditions of a reservation for staff')

/** Slot for the allocation rounds in the 'Seasons' section of the staff screen. */
export const staffSeasons = definePart<object>('rounds of a season for staff')

/** Slot for the planner, in which staff book a free time for a caller. */
export const staffPlanner = definePart<object>('planner of rentals')

/** Slot for the printable reservations of a day in the 'Day sheet' section. */
export const staffDay = definePart<object>('day sheet of rentals')

/** Slot for the report in the 'Use and income' section. */
export const staffUse = definePart<object>('use of resources')

export interface ResourceEditorProps {
  /** Null for a new resource. */
  id: number | null
  onClose: () => void
}
/** Slot for the editor of a resource. */
export const resourceEditor = definePart<ResourceEditorProps>('editor of a resource')
