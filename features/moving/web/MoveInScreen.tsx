import { MoveSteps } from './MoveSteps.tsx'

export default function MoveInScreen() {
  return <MoveSteps kind={1} />
}
