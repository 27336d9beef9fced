import { lazy, Suspense } from 'react'
import { useQueryParam } from '../routes.tsx'
import { Measure, PageHead } from '../ui/Page.tsx'
import { Buttons, Fields } from './Controls.tsx'
import { Overlays } from './Overlays.tsx'
import { Emblems, Documents, StatesSection, Tiles } from './Documents.tsx'
import { Tables } from './Tables.tsx'
import { ThemePicker } from './ThemePicker.tsx'

/**
 * The form builder and both form renderers. They are large, so the page loads and shows them only with
 * `?part=field-sets`.
 */
const FieldSets = lazy(() => import('./FieldSets.tsx').then((loaded) => ({ default: loaded.FieldSets })))

const parts = {
  emblems: Emblems,
  tiles: Tiles,
  buttons: Buttons,
  fields: Fields,
  overlays: Overlays,
  papers: Documents,
  states: StatesSection,
  tables: Tables,
}

/** Design page: every UI part in every state, in any company's colors. `?part=overlays` shows only one part. */
export default function DesignScreen() {
  const only = useQueryParam('part')
  return (
    <main>
      <Measure className="py-8">
        <PageHead title="Town records">Every part in every state. Choose a town's colors and look.</PageHead>
        <ThemePicker />
        {only === 'field-sets' ? (
          <Suspense>
            <FieldSets />
          </Suspense>
        ) : (
          Object.entries(parts).map(([name, Part]) => (only ?? name) === name && <Part key={name} />)
        )}
      </Measure>
    </main>
  )
}
