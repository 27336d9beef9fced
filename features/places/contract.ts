import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { defineImportedFiles, importFields, importReport } from '../../shared/imports.ts'
import { position } from '../../shared/places.ts'
import { say, translated } from '../../shared/messages.ts'
import { audience, viewAccess } from './list.ts'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'

const upload: Access = { audience, privilege: ['places', 'create'] }
/** Source files of the company's places and map. The endpoints that import a file validate its content. */
export const placeFiles = defineImportedFiles({
  kind: 'place-file',
  unsupportedType: 'Choose a CSV, XLSX, GeoJSON or PMTiles file.',
  unnamed: 'places',
  access: upload,
})

/** Counts of the company's places by kind, and its background map. */
export const placeCounts = endpoint({
  path: 'muni/return/places',
  summary: "Returns the counts of the company's places and its map file",
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    addresses: z.int(),
    parcels: z.int(),
    streets: z.int(),
    zones: z.int(),
    map: z.nullable(z.object({ name: z.string(), bytes: z.number(), since: z.string() })),
    can: z.object({ upload: z.boolean(), removeMap: z.boolean() }),
  }),
})

/** Parcel as staff see it on the map. */
export const parcelDetails = z.object({
  number: z.string(),
  address: z.string(),
  owner: z.string(),
  landUse: z.string(),
  lat: z.number(),
  lon: z.number(),
  outline: z.array(z.array(z.array(position))),
  zones: z.array(z.object({ kind: z.string(), name: z.string() })),
})

export const returnParcel = endpoint({
  path: 'muni/return/parcel',
  summary: 'Returns a parcel with its border and zones',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, parcelId: rowId }),
  response: z.extend(parcelDetails, { id: z.number(), can: z.object({ edit: z.boolean() }) }),
})

const line = (max: number, what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(max, { error: () => say`Use no more than ${max} characters for the ${translated(what)}.` }),
    )

/** Parcel fields that staff may edit. The parcel's number and border come from the imported file. */
export const parcelForm = z.object({
  address: line(200, 'address'),
  owner: line(120, 'owner'),
  landUse: line(60, 'land use'),
})

export const saveParcel = formCall({
  path: 'muni/save/parcel',
  summary: 'Saves the address, owner and land use of a parcel',
  access: { audience, privilege: ['places', 'update'] },
  body: z.extend(parcelForm, { companyId, parcelId: rowId, basis }),
})

export const placeKinds = ['addresses', 'parcels', 'streets', 'zones'] as const

export const importPlaces = endpoint({
  path: 'muni/import/places',
  summary: 'Imports addresses, parcels, streets or zones from CSV, XLSX or GeoJSON files',
  access: upload,
  takes: 'large-file',
  files: placeFiles,
  body: z.object({ companyId, kind: z.enum(placeKinds), ...importFields }),
  response: importReport,
})

export const saveCompanyMap = endpoint({
  path: 'muni/save/company/map',
  summary: "Uploads the company's map as a PMTiles file",
  access: upload,
  takes: 'large-file',
  files: placeFiles,
  body: z.object({ companyId }),
  response: done,
})

export const removeCompanyMap = endpoint({
  path: 'muni/remove/company/map',
  summary: "Removes the company's map file",
  access: { audience, privilege: ['places', 'delete'] },
  body: z.object({ companyId }),
  response: done,
})
