import { Measure, PageHead } from '../ui/Page.tsx'
import { Buttons, Fields } from './Controls.tsx'
import { Overlays } from './Overlays.tsx'
import { Emblems, Papers, StatesSection, Tiles } from './Papers.tsx'
import { Tables } from './Tables.tsx'
import { ThemePicker } from './ThemePicker.tsx'

/** Every part in every state, in any town's colours. */
export default function DesignScreen() {
  return (
    <main>
      <Measure className="py-8">
        <PageHead title="Town records">Every part in every state. Choose a town's colours and look.</PageHead>
        <ThemePicker />
        <Emblems />
        <Tiles />
        <Buttons />
        <Fields />
        <Overlays />
        <Papers />
        <StatesSection />
        <Tables />
      </Measure>
    </main>
  )
}
