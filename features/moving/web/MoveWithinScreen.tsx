import { MoveSteps } from './MoveSteps.tsx'

export default function MoveWithinScreen() {
  return <MoveSteps kind={3} />
}
