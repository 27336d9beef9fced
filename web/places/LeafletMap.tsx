import { useLingui } from '@lingui/react/macro'
import L from 'leaflet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import 'leaflet/dist/leaflet.css'
import './town-map.css'
import type { Mark, Point, Position, CompanyMapResponse } from '../../shared/places.ts'

interface LeafletMapProps {
  label: string
  describedBy: string
  extent: NonNullable<CompanyMapResponse['extent']>
  /** Address of the company's map file. Without one, the streets are drawn. */
  tiles: string | null
  loadTiles: () => Promise<typeof import('protomaps-leaflet')>
  streets: CompanyMapResponse['streets']
  zones: CompanyMapResponse['zones']
  pin: Point | null
  onPin: ((at: Point) => void) | undefined
  marks?: readonly Mark[] | undefined
  onMark?: ((id: number) => void) | undefined
  outline: readonly Position[][][] | undefined
  /** Runs when the map is ready, with a function that returns its center. */
  onReady: (center: () => Point) => void
}

/** Zoom level that shows houses, and zoom level with space for street names. */
const HOUSES = 17
const NAMES = 14

const latLng = ([lon, lat]: Position): L.LatLngTuple => [lat, lon]
const ringsOf = (outline: readonly Position[][][]) => outline.map((rings) => rings.map((ring) => ring.map(latLng)))
const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Leaflet map in the company's colors. */
export default function LeafletMap(props: LeafletMapProps) {
  const { label, describedBy, extent, tiles, loadTiles, streets, zones, pin, marks, outline } = props
  const { t } = useLingui()
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map | null>(null)
  // The person sees the pin that they placed, so the map does not move.
  const putHere = useRef<Point>(null)
  const put = useEffectEvent(({ lat, lng }: L.LatLng) => {
    putHere.current = { lat, lon: lng }
    props.onPin?.(putHere.current)
  })
  const ready = useEffectEvent(props.onReady)
  const selectMark = useEffectEvent((id: number) => props.onMark?.(id))
  const labels = useEffectEvent(() => ({ zoomIn: t`Zoom in`, zoomOut: t`Zoom out` }))
  const bounds = JSON.stringify(extent)
  // Markers that load later must not move a map that the person has moved.
  const hasFitted = useRef(false)
  const fit = useEffectEvent((on: L.Map, around: L.LatLngBounds) => {
    if (!props.onPin && !outline) on.fitBounds(around, { padding: [24, 24], maxZoom: HOUSES, animate: false })
  })

  useEffect(() => {
    if (!container.current) return
    const { south, west, north, east } = JSON.parse(bounds) as typeof extent
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const own = L.map(container.current, {
      zoomControl: false,
      attributionControl: false,
      preferCanvas: true,
      // The wheel scrolls the page until the map has the focus.
      scrollWheelZoom: false,
      zoomAnimation: !calm,
      fadeAnimation: !calm,
      inertia: !calm,
      minZoom: 11,
      maxZoom: 19,
    })
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

  useEffect(() => {
    if (!map) return
    if (tiles) return showTiles(map, tiles, loadTiles())
    const edges = streets.map(({ lines }) => lineOf(lines, color('--edge')))
    const roads = streets.map(({ lines }) => lineOf(lines, color('--surface')))
    const layer = L.layerGroup([...edges, ...roads]).addTo(map)
    const names = L.layerGroup(streets.flatMap(({ name, lines }) => nameOn(lines, name)))
    const follow = () => {
      const near = map.getZoom() >= NAMES
      for (const line of edges) line.setStyle({ weight: near ? 12 : 4 })
      for (const line of roads) line.setStyle({ weight: near ? 10 : 2.5 })
      if (near) names.addTo(map)
      else names.remove()
    }
    map.on('zoomend', follow)
    follow()
    return () => {
      map.off('zoomend', follow)
      layer.remove()
      names.remove()
    }
  }, [map, tiles, loadTiles, streets])

  useEffect(() => {
    if (!map || zones.length === 0) return
    const layers = zones.map(({ name, outline: border }) => {
      const shape = L.polygon(ringsOf(border), {
        interactive: false,
        color: color('--link'),
        weight: 2,
        dashArray: '6 5',
        fillOpacity: 0.08,
      })
      return L.layerGroup([shape, nameAt(shape.getBounds().getCenter(), name, 'town-map-zone')])
    })
    const layer = L.layerGroup(layers).addTo(map)
    return () => void layer.remove()
  }, [map, zones])

  useEffect(() => {
    if (!map || !outline || outline.length === 0) return
    const shape = L.polygon(ringsOf(outline), {
      interactive: false,
      color: color('--link'),
      weight: 3,
      fillOpacity: 0.2,
    })
    shape.addTo(map)
    map.fitBounds(shape.getBounds(), { maxZoom: HOUSES, animate: false })
    return () => void shape.remove()
  }, [map, outline])

  useEffect(() => {
    if (!map || !pin) return
    const icon = L.divIcon({ className: 'town-map-pin', html: PIN, iconSize: [32, 40], iconAnchor: [16, 39] })
    const at: L.LatLngTuple = [pin.lat, pin.lon]
    const marker = L.marker(at, { icon, interactive: false, keyboard: false }).addTo(map)
    const isPut = putHere.current?.lat === pin.lat && putHere.current.lon === pin.lon
    if (!isPut) map.setView(at, Math.max(map.getZoom(), HOUSES), { animate: false })
    return () => void marker.remove()
  }, [map, pin])

  useEffect(() => {
    if (!map || !marks || marks.length === 0) return
    const layers = marks.map(({ id, lat, lon, label: text, kind }) => {
      const dot = L.circleMarker([lat, lon], {
        radius: 8,
        color: color('--surface'),
        weight: 2,
        fillColor: color(MARK_COLORS[kind]),
        fillOpacity: 1,
      })
      dot.bindTooltip(textOf(text))
      dot.on('click', () => selectMark(id))
      return dot
    })
    const layer = L.layerGroup(layers).addTo(map)
    if (!hasFitted.current) {
      hasFitted.current = true
      fit(map, L.latLngBounds(marks.map(({ lat, lon }) => [lat, lon])))
    }
    return () => void layer.remove()
  }, [map, marks])

  return (
    <>
      <div
        ref={container}
        // The map handles arrow keys, plus and minus, which a screen reader must know.
        role="application"
        aria-label={label}
        aria-describedby={describedBy}
        className="town-map focus-inside peer absolute inset-0"
      />
      {props.onPin && <Crosshair />}
    </>
  )
}

/** Crosshair in the center while the keyboard moves the map. A pin is placed there. */
const Crosshair = () => (
  <span
    aria-hidden
    data-crosshair
    className="pointer-events-none absolute start-1/2 top-1/2 z-10 hidden size-8 -translate-1/2 peer-focus-visible:block before:absolute before:inset-x-0 before:top-1/2 before:h-0.75 before:-translate-y-1/2 before:bg-[#111] before:outline before:outline-white after:absolute after:inset-y-0 after:start-1/2 after:w-0.75 after:-translate-x-1/2 after:bg-[#111] after:outline after:outline-white"
  />
)

const lineOf = (lines: readonly Position[][], stroke: string) =>
  L.polyline(
    lines.map((line) => line.map(latLng)),
    { interactive: false, color: stroke, lineCap: 'round' },
  )

const MARK_COLORS = { good: '--success', waiting: '--warning', bad: '--danger', neutral: '--muted' } as const

/** Returns an element, so that no text is parsed as HTML. */
function textOf(says: string): HTMLElement {
  const text = document.createElement('span')
  text.textContent = says
  return text
}

const nameAt = (at: L.LatLngExpression, name: string, className: string) => {
  const text = document.createElement('span')
  text.textContent = name
  return L.marker(at, {
    pane: 'names',
    interactive: false,
    keyboard: false,
    icon: L.divIcon({ className, html: text, iconSize: [0, 0] }),
  })
}

/** Places a street's name along its longest line. */
function nameOn(lines: readonly Position[][], name: string) {
  const mainLine = lines.toSorted((a, b) => b.length - a.length)[0] ?? []
  return [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((part) => {
    const at = mainLine[Math.floor((mainLine.length - 1) * part)]
    return at ? [nameAt(latLng(at), name, 'town-map-street')] : []
  })
}

/** The pin's SVG, which contains only our own code. */
const PIN =
  '<svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true"><path d="M16 39C12 31 3 25 3 15a13 13 0 0 1 26 0c0 10-9 16-13 24Z"/><circle cx="16" cy="15" r="5"/></svg>'

/** Shows the company's map file. The library expects Leaflet as a global, which Leaflet itself defines. */
function showTiles(map: L.Map, url: string, loading: ReturnType<LeafletMapProps['loadTiles']>): () => void {
  let gone = false
  let layer: L.Layer | null = null
  void loading.then(({ leafletLayer }) => {
    if (gone) return
    layer = leafletLayer({ url, flavor: 'light', lang: 'en' }) as unknown as L.Layer
    layer.addTo(map)
  })
  L.control.attribution({ prefix: false }).addAttribution('© OpenStreetMap').addTo(map)
  return () => {
    gone = true
    layer?.remove()
  }
}
