import readExif from 'exif-reader'
import sharp from 'sharp'

/** In degrees, as a phone writes it into its photos. */
export interface TakenAt {
  lat: number
  lon: number
}

/** Where a photo was taken; null where it does not say, or says something that no place on earth has. */
export async function takenAt(photo: Uint8Array): Promise<TakenAt | null> {
  try {
    const { exif } = await sharp(photo).metadata()
    const gps = exif && readExif(exif).GPSInfo
    const lat = degrees(gps?.GPSLatitude, gps?.GPSLatitudeRef === 'S')
    const lon = degrees(gps?.GPSLongitude, gps?.GPSLongitudeRef === 'W')
    if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null
    // A camera that has not found its satellites yet writes zeros.
    return lat === 0 && lon === 0 ? null : { lat, lon }
  } catch {
    // The photo is good for all that; only what its camera wrote can't be read.
    return null
  }
}

/** Degrees, minutes and seconds as one number, to about 10 cm. */
function degrees(parts: unknown, negative: boolean): number | null {
  if (!Array.isArray(parts)) return null
  const [whole, minutes = 0, seconds = 0] = parts.map(Number)
  const value = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
  return Number.isFinite(value) ? Math.round((negative ? -value : value) * 1e6) / 1e6 : null
}
