import L from 'leaflet'
import { useEffect, type RefObject, useEffectEvent, useRef } from 'react'
import type { Position, CompanyMapResponse, Point, Mark } from '../../shared/places.ts'

/** Zoom levels. `HOUSES` shows single houses, and `NAMES` has space for street names. */
const HOUSES = 17
const NAMES = 14

const latLng = ([lon, lat]: Position): L.LatLngTuple => [lat, lon]
const ringsOf = (outline: readonly Position[][][]) => outline.map((rings) => rings.map((ring) => ring.map(latLng)))
const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

interface StreetsInput {
  tiles: string | null
  loadTiles: () => Promise<typeof import('protomaps-leaflet')>
  streets: CompanyMapResponse['streets']
}

/** Shows the company's map file. If `tiles` is null, renders the streets. */
export function useStreets(map: L.Map | null, { tiles, loadTiles, streets }: StreetsInput) {
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
}

export function useZones(map: L.Map | null, zones: CompanyMapResponse['zones']) {
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
}

export function useOutline(map: L.Map | null, outline: readonly Position[][][] | undefined) {
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
}

/** Shows the pin. The map moves to the pin unless the person placed it on this map (`putHere`). */
export function usePin(map: L.Map | null, pin: Point | null, putHere: RefObject<Point | null>) {
  const isPut = useEffectEvent(({ lat, lon }: Point) => putHere.current?.lat === lat && putHere.current.lon === lon)
  useEffect(() => {
    if (!map || !pin) return
    const icon = L.divIcon({ className: 'town-map-pin', html: PIN, iconSize: [32, 40], iconAnchor: [16, 39] })
    const at: L.LatLngTuple = [pin.lat, pin.lon]
    const marker = L.marker(at, { icon, interactive: false, keyboard: false }).addTo(map)
    if (!isPut(pin)) map.setView(at, Math.max(map.getZoom(), HOUSES), { animate: false })
    return () => void marker.remove()
  }, [map, pin])
}

interface MarksInput {
  marks: readonly Mark[] | undefined
  /** True if the map moves once to show all marks. */
  fits: boolean
  onMark: ((id: number) => void) | undefined
}

export function useMarks(map: L.Map | null, { marks, fits, onMark }: MarksInput) {
  const selectMark = useEffectEvent((id: number) => onMark?.(id))
  // Markers that load later must not move a map that the person has moved.
  const hasFitted = useRef(false)
  const fit = useEffectEvent((on: L.Map, around: L.LatLngBounds) => {
    if (fits) on.fitBounds(around, { padding: [24, 24], maxZoom: HOUSES, animate: false })
  })
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
}

const lineOf = (lines: readonly Position[][], stroke: string) =>
  L.polyline(
    lines.map((line) => line.map(latLng)),
    { interactive: false, color: stroke, lineCap: 'round' },
  )

const MARK_COLORS = { good: '--success', waiting: '--warning', bad: '--danger', neutral: '--muted' } as const

/** Returns an element with the text, so that Leaflet does not parse the text as HTML. */
function textOf(content: string): HTMLElement {
  const text = document.createElement('span')
  text.textContent = content
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

/** Returns markers that repeat a street's name along its line with the most points. */
function nameOn(lines: readonly Position[][], name: string) {
  const mainLine = lines.toSorted((a, b) => b.length - a.length)[0] ?? []
  return [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((part) => {
    const at = mainLine[Math.floor((mainLine.length - 1) * part)]
    return at ? [nameAt(latLng(at), name, 'town-map-street')] : []
  })
}

/** SVG image of the pin. It is safe to insert as HTML, because it contains no data from users. */
const PIN =
  '<svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true"><path d="M16 39C12 31 3 25 3 15a13 13 0 0 1 26 0c0 10-9 16-13 24Z"/><circle cx="16" cy="15" r="5"/></svg>'

/** Shows the company's map file. The map library uses Leaflet as a global variable, which Leaflet itself defines. */
function showTiles(map: L.Map, url: string, loading: ReturnType<StreetsInput['loadTiles']>): () => void {
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
