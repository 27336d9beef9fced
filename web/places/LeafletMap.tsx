import { useLingui } from '@lingui/react/macro'
import L from 'leaflet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import 'leaflet/dist/leaflet.css'
import './company-map.css'
import type { Mark, Point, Position, CompanyMapResponse } from '../../shared/places.ts'
import { useStreets, useZones, useOutline, usePin, useMarks } from './map-layers.ts'

interface LeafletMapProps {
  label: string
  describedBy: string
  extent: NonNullable<CompanyMapResponse['extent']>
  /** URL of the company's map file. If null, the map renders the streets instead. */
  tiles: string | null
  loadTiles: () => Promise<typeof import('protomaps-leaflet')>
  streets: CompanyMapResponse['streets']
  zones: CompanyMapResponse['zones']
  pin: Point | null
  onPin: ((at: Point) => void) | undefined
  marks?: readonly Mark[] | undefined
  onMark?: ((id: number) => void) | undefined
  outline: readonly Position[][][] | undefined
  /** Called when the map is ready, with a function that returns the map's center. */
  onReady: (center: () => Point) => void
}

/** Leaflet map in the company's colors. */
export default function LeafletMap(props: LeafletMapProps) {
  const { label, describedBy, extent, tiles, loadTiles, streets, zones, pin, marks, outline } = props
  const { t } = useLingui()
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map | null>(null)
  // Location of the pin that the person placed. The map does not move to it, because the person already sees it.
  const putHere = useRef<Point>(null)
  const put = useEffectEvent(({ lat, lng }: L.LatLng) => {
    putHere.current = { lat, lon: lng }
    props.onPin?.(putHere.current)
  })
  const ready = useEffectEvent(props.onReady)
  const labels = useEffectEvent(() => ({ zoomIn: t`Zoom in`, zoomOut: t`Zoom out` }))
  const bounds = JSON.stringify(extent)

  useEffect(() => {
    if (!container.current) return
    const { south, west, north, east } = JSON.parse(bounds) as typeof extent
    const own = mapIn(container.current)
    const { zoomIn, zoomOut } = labels()
    L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(own)
    const names = own.createPane('names')
    names.ariaHidden = 'true'
    own.fitBounds([
      [south, west],
      [north, east],
    ])
    own.on('click', ({ latlng }) => put(latlng))
    own.on('focus', () => own.scrollWheelZoom.enable())
    own.on('blur', () => own.scrollWheelZoom.disable())
    const resized = new ResizeObserver(() => own.invalidateSize({ pan: false }))
    resized.observe(container.current)
    setMap(own)
    ready(() => {
      const { lat, lng } = own.getCenter()
      putHere.current = { lat, lon: lng }
      return putHere.current
    })
    return () => {
      resized.disconnect()
      own.remove()
    }
  }, [bounds])

  useStreets(map, { tiles, loadTiles, streets })
  useZones(map, zones)
  useOutline(map, outline)
  usePin(map, pin, putHere)
  useMarks(map, { marks, fits: !props.onPin && !outline, onMark: props.onMark })

  return (
    <>
      <div
        ref={container}
        // The map handles arrow keys, plus and minus. This role makes screen readers pass those keys to the map.
        role="application"
        aria-label={label}
        aria-describedby={describedBy}
        className="town-map focus-inside peer absolute inset-0"
      />
      {props.onPin && <Crosshair />}
    </>
  )
}

/** Creates the map. The map has no animations if the person prefers reduced motion. */
function mapIn(container: HTMLElement): L.Map {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  return L.map(container, {
    zoomControl: false,
    attributionControl: false,
    preferCanvas: true,
    // Until the map has the focus, the mouse wheel scrolls the page.
    scrollWheelZoom: false,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    inertia: !calm,
    minZoom: 11,
    maxZoom: 19,
  })
}

/** Crosshair in the center of the map, visible while the keyboard moves the map. The button places the pin there. */
const Crosshair = () => (
  <span
    aria-hidden
    data-crosshair
    className="pointer-events-none absolute start-1/2 top-1/2 z-10 hidden size-8 -translate-1/2 peer-focus-visible:block before:absolute before:inset-x-0 before:top-1/2 before:h-0.75 before:-translate-y-1/2 before:bg-[#111] before:outline before:outline-white after:absolute after:inset-y-0 after:start-1/2 after:w-0.75 after:-translate-x-1/2 after:bg-[#111] after:outline after:outline-white"
  />
)
