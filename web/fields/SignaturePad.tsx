import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import Pad from 'signature_pad'
import { SIGNATURE_SIDE } from '../../shared/fields/signature.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { FieldError } from '../ui/Field.tsx'

type Lines = [number, number][][]

interface PadProps {
  lines: Lines
  onChange: (lines: Lines) => void
  error: string | undefined
}

/** Pressure of a restored point. The library requires a value. */
const PRESSURE = 0.5

/** Area to sign by finger, pen or mouse. */
export default function SignaturePad({ lines, onChange, error }: PadProps) {
  const { t } = useLingui()
  const id = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<Pad>(null)
  const initialLines = useRef(lines)
  const notify = useEffectEvent((newLines: Lines) => onChange(newLines))

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const { width, height } = element.getBoundingClientRect()
    // Uses the screen's full resolution, so that lines are smooth.
    const dots = window.devicePixelRatio
    element.width = width * dots
    element.height = height * dots
    element.getContext('2d')?.scale(dots, dots)
    const drawing = new Pad(element, { minWidth: 1, maxWidth: 2.5, penColor: '#111111' })
    pad.current = drawing
    drawing.fromData(
      initialLines.current.map((line) => ({
        penColor: '#111111',
        dotSize: 0,
        minWidth: 1,
        maxWidth: 2.5,
        velocityFilterWeight: 0.7,
        compositeOperation: 'source-over' as const,
        points: line.map(([x, y], at) => ({
          x: (x / SIGNATURE_SIDE) * width,
          y: (y / SIGNATURE_SIDE) * height,
          pressure: PRESSURE,
          time: at,
        })),
      })),
    )
    const within = (at: number, side: number) =>
      Math.min(SIGNATURE_SIDE, Math.max(0, Math.round((at / side) * SIGNATURE_SIDE)))
    drawing.addEventListener('endStroke', () =>
      notify(
        drawing
          .toData()
          .map(({ points }) => points.map(({ x, y }): [number, number] => [within(x, width), within(y, height)])),
      ),
    )
    return () => drawing.off()
  }, [])

  const isEmpty = lines.length === 0
  return (
    <div className="flex max-w-form flex-col gap-2">
      <canvas
        ref={canvas}
        role="img"
        aria-label={isEmpty ? t`Empty signature area` : t`Your signature`}
        className={cx(
          'aspect-5/2 w-full touch-none rounded-sm border bg-white',
          error ? 'border-danger' : 'border-edge',
        )}
      />
      <FieldError id={id}>{error}</FieldError>
      <div {...(error && { 'data-error': `${id}-error` })}>
        <Button
          size="small"
          disabled={isEmpty && !error}
          onClick={() => {
            pad.current?.clear()
            onChange([])
          }}
        >
          <Trans>Clear signature</Trans>
        </Button>
      </div>
    </div>
  )
}
