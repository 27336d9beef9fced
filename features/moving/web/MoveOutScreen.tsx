import { MoveSteps } from './MoveSteps.tsx'

export default function MoveOutScreen() {
  return <MoveSteps kind={2} />
}
