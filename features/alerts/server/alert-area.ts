import type { AlertArea } from '../../../server/db/column-types.ts'
import { rejected } from '../../../server/errors.ts'
import { RowError } from '../../../server/imports.ts'
import { originOf } from '../../../server/places/at-point.ts'
import { polygonsOf, readGeometry } from '../../../server/places/rings.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { planeAt } from '../../../shared/plane.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { AlertForm } from '../contract-staff.ts'
import { nameOfPolygons } from './audience.ts'
import { inOrder, zoneNames } from './zones.ts'

export const areaOf = ({ kind, zoneIds, polygons, routes, formTypeId }: AlertForm['area']): AlertArea => {
  switch (kind) {
    case 'zones':
      return { kind, zoneIds: inOrder(zoneIds) }
    case 'drawn':
      return { kind, polygons }
    case 'routes':
      return { kind, routes: [...new Set(routes)].toSorted() }
    case 'form':
      return { kind, formTypeId: Number(formTypeId) }
    default:
      return { kind }
  }
}
const noArea: AlertForm['area'] = { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' }
export const areaFormOf = (area: AlertArea): AlertForm['area'] => {
  switch (area.kind) {
    case 'zones':
      return { ...noArea, kind: 'zones', zoneIds: area.zoneIds }
    case 'drawn':
      return { ...noArea, kind: 'drawn', polygons: area.polygons }
    case 'routes':
      return { ...noArea, kind: 'routes', routes: area.routes }
    case 'form':
      return { ...noArea, kind: 'form', formTypeId: String(area.formTypeId) }
    default:
      return noArea
  }
}

/** Describes an area in words. Rejects deleted zones or forms, and invalid borders. */
export async function areaTextOf(tx: Tx, company: CompanyId, area: AlertArea): Promise<string> {
  switch (area.kind) {
    case 'zones':
      return (await zoneNames(tx, company, area.zoneIds, 'area.zoneIds')).join(', ')
    case 'drawn': {
      const origin = await originOf(tx, company)
      try {
        const geometry = readGeometry({ type: 'MultiPolygon', coordinates: area.polygons })
        polygonsOf(geometry, origin && planeAt(origin))
      } catch (error) {
        if (error instanceof RowError) throw rejected(error.message, { 'area.polygons': error.message })
        throw error
      }
      return nameOfPolygons(tx, company, area.polygons)
    }
    case 'routes':
      return say`Accounts on ${plural(area.routes.length, 'route', 'routes')} ${area.routes.join(', ')}`
    case 'form': {
      const formType = await tx
        .selectFrom('form_type')
        .select('title')
        .where('company_id', '=', company)
        .where('id', '=', area.formTypeId)
        .executeTakeFirst()
      const gone = say`This form no longer exists. Choose another one.`
      if (!formType) throw rejected(gone, { 'area.formTypeId': gone })
      return say`People who submitted “${formType.title}”`
    }
    default:
      return ''
  }
}
