import readExif from 'exif-reader'
import sharp from 'sharp'

/** Location of a photo in degrees, as written by the phone. */
export interface TakenAt {
  lat: number
  lon: number
}

/** Reads the location of a photo. Null if it is missing or outside the valid range. */
export async function takenAt(photo: Uint8Array): Promise<TakenAt | null> {
  try {
    const { exif } = await sharp(photo).metadata()
    const gps = exif && readExif(exif).GPSInfo
    const lat = degrees(gps?.GPSLatitude, gps?.GPSLatitudeRef === 'S')
    const lon = degrees(gps?.GPSLongitude, gps?.GPSLongitudeRef === 'W')
    if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null
    // A camera without GPS reception writes zeros.
    return lat === 0 && lon === 0 ? null : { lat, lon }
  } catch {
    // Only the camera metadata is unreadable. The photo itself is still usable.
    return null
  }
}

/** Converts degrees, minutes and seconds to decimal degrees, precise to about 10 cm. */
function degrees(parts: unknown, negative: boolean): number | null {
  if (!Array.isArray(parts)) return null
  const [whole, minutes = 0, seconds = 0] = parts.map(Number)
  const value = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
  return Number.isFinite(value) ? Math.round((negative ? -value : value) * 1e6) / 1e6 : null
}
