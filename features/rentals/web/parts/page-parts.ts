import type { ReactNode } from 'react'
import { definePart } from '../../../../web/page-part.ts'
import type { AnsweredProps } from '../../../../web/ui/Answered.tsx'
import type { GivenAnswers } from '../../contract.ts'

/** Parts of the rental pages that features above rentals fill. */

type Texts = Pick<AnsweredProps<never>, 'loading' | 'failed' | 'instead'>

export interface QuestionsProps {
  resourceId: number
  /** Set if the reservation already exists. */
  reservationId?: number
  doneLabel: ReactNode
  /** Submits the answers. An error appears above the button and leaves the typed answers in place. */
  onDone: (given: GivenAnswers) => Promise<void>
}
/** Questions of a resource that a renter answers before the reservation. */
export const questions = definePart<QuestionsProps>('questions of a resource')

/** Sections of a resident's reservation, with their answers loaded. */
export interface ConditionSections {
  agreement: (resourceId: number) => ReactNode
  certificate: ReactNode
  doorCode: ReactNode
  reload: () => Promise<unknown>
}
export interface ConditionsProps {
  reservationId: number
  texts: Texts
  /** Rendered once all sections are loaded, so that nothing moves while the resident reads. */
  children: (sections: ConditionSections) => ReactNode
}
export const conditions = definePart<ConditionsProps>('conditions of a reservation')

export interface SeasonCardsProps {
  texts: Texts
  /** Rendered once the cards are loaded. */
  children: (cards: ReactNode) => ReactNode
}
/** Allocation rounds above the list of resources. */
export const seasonCards = definePart<SeasonCardsProps>('rounds of a season')

/** Door code in the slide-out of staff. */
export const staffDoorCode = definePart<{ reservationId: number }>('door code of a reservation')

export interface StaffConditionsProps {
  reservationId: number
  /** True if nothing can be added any more. */
  isOver: boolean
}
/** Agreement and certificate in the slide-out of staff. */
export const staffConditions = definePart<StaffConditionsProps>('conditions of a reservation for staff')

/** Allocation rounds in the section 'Seasons' of the staff screen. */
export const staffSeasons = definePart<object>('rounds of a season for staff')
