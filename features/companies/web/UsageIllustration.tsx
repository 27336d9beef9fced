const MONTHS = [52, 44, 40, 36, 43, 60, 74, 78, 56, 41, 45, 53]

/** A year of usage as bars, for the utility tile. Decoration without real data. */
export const UsageIllustration = () => (
  <svg aria-hidden width="190" height="84" viewBox="0 0 190 84" className="block">
    {MONTHS.map((height, month) => (
      <rect
        key={month}
        x={month * 16}
        y={84 - height}
        width="10"
        height={height}
        className={month === MONTHS.length - 1 ? 'fill-brand' : 'fill-tint-2'}
      />
    ))}
  </svg>
)
