import { describe, expect, it } from 'vitest'
import { addMonths } from '../../shared/dates.ts'
import { classOf, dropOf, flowOf, inspectionStatus, type FlowOutlet, pressureFault } from './rules.ts'

const outlet = (pitotPsi: number, diameterInches = 2.5, coefficient = 0.9): FlowOutlet => ({
  diameterInches,
  coefficient,
  pitotPsi,
})

describe('flow tests by NFPA 291, to the gallon', () => {
  // The first case is the example agreed for this portal. The second is a published example
  // (http://tkolb.net/WatSup/sld015.htm). In the example, 86, 42 and 28 psi with a coefficient of 0.8 give 789 gpm. The
  // other cases were calculated by hand with the two formulas of NFPA 291. The first is 29.84 c d² √p. The second
  // multiplies that flow by ((static - 20) / (static - residual))^0.54.
  it.each([
    ['one 2.5 inch outlet at 25 psi', 60, 40, [outlet(25)], 839, 1220, 'A'],
    ['a published example, square and sharp', 86, 42, [outlet(28, 2.5, 0.8)], 789, 983, 'B'],
    ['a 2.5 inch outlet at 16 psi', 55, 30, [outlet(16)], 671, 805, 'B'],
    ['two outlets of one hydrant', 80, 55, [outlet(20), outlet(20)], 1501, 2409, 'AA'],
    ['an outlet of 4.5 inches, square and sharp', 70, 50, [outlet(9, 4.5, 0.8)], 1204, 1974, 'AA'],
    ['an outlet that projects into the barrel', 48, 22, [outlet(10, 2.5, 0.7)], 413, 430, 'C'],
    ['a residual below 20 psi: less than what ran', 45, 15, [outlet(12)], 581, 527, 'B'],
    ['a residual of 20 psi: just what ran', 65, 20, [outlet(30)], 919, 919, 'B'],
    ['a strong main that hardly falls', 90, 84, [outlet(36)], 1007, 3795, 'AA'],
    ['halves of a psi', 62.5, 41.5, [outlet(18.5)], 722, 1056, 'A'],
    ['three outlets of different sizes', 75, 35, [outlet(14), outlet(15), outlet(6, 4, 0.8)], 2064, 2451, 'AA'],
    // Pumper outlets at each row of the coefficient table, between two rows, and outside the table.
    ['a pumper outlet at 2 psi', 60, 40, [outlet(2, 4)], 589, 857, 'B'],
    ['a pumper outlet at 2.5 psi', 60, 40, [outlet(2.5, 4)], 642, 934, 'B'],
    ['a pumper outlet at 3 psi', 60, 40, [outlet(3, 4)], 685, 996, 'B'],
    ['a pumper outlet at 4 psi', 60, 40, [outlet(4, 4.5)], 968, 1407, 'A'],
    ['a pumper outlet at 5 psi', 60, 40, [outlet(5, 4.5, 0.8)], 930, 1352, 'A'],
    ['a pumper outlet at 6 psi', 60, 40, [outlet(6, 4.5)], 1119, 1627, 'AA'],
    ['a pumper outlet at 7 psi', 60, 40, [outlet(7, 4.5)], 1194, 1736, 'AA'],
    ['a pumper outlet at 20 psi', 60, 40, [outlet(20, 4, 0.7)], 1241, 1804, 'AA'],
    ['a pumper outlet at 1 psi', 60, 40, [outlet(1, 4)], 417, 606, 'B'],
    ['an outlet of 3.5 inches, which is no pumper’s', 60, 40, [outlet(7, 3.5)], 870, 1266, 'A'],
    ['a hose outlet and a pumper outlet', 80, 50, [outlet(25), outlet(4, 4.5)], 1807, 2628, 'AA'],
  ] as const)('%s', (_title, staticPsi, residualPsi, outlets, flowGpm, availableGpm, flowClass) => {
    const flow = flowOf({ staticPsi, residualPsi, outlets })
    expect(flow).toEqual({ flowGpm, availableGpm })
    expect(classOf(flow.availableGpm)).toBe(flowClass)
  })

  it('has a class for each flow, with its edges', () => {
    const edges = [0, 499, 500, 999, 1000, 1499, 1500, 9000].map(classOf)
    expect(edges).toEqual(['C', 'C', 'B', 'B', 'A', 'A', 'AA', 'AA'])
  })

  it('refuses pressures that give no flow at 20 psi', () => {
    const fault = (staticPsi: number, residualPsi: number) => pressureFault({ staticPsi, residualPsi })?.field
    expect([fault(20, 10), fault(19.9, 25)]).toEqual(['staticPsi', 'staticPsi'])
    expect([fault(60, 60), fault(60, 60.1)]).toEqual(['residualPsi', 'residualPsi'])
    expect([fault(20.1, 20), fault(60, 59.9)]).toEqual([undefined, undefined])
    expect(() => flowOf({ staticPsi: 20, residualPsi: 10, outlets: [outlet(25)] })).toThrow('no flow')
  })
})

it.each([
  [60, 45, 'enough'],
  [60, 45.1, 'small'],
  [60, 54, 'small'],
  [60, 54.1, 'weak'],
  [62.5, 56.25, 'small'],
  [33.3, 29.97, 'small'],
] as const)('rates a pressure drop from %s to %s psi as %s', (staticPsi, residualPsi, expected) => {
  expect(dropOf({ staticPsi, residualPsi })).toBe(expected)
})

describe('status of a hydrant', () => {
  it.each([
    [null, 'unknown'],
    ['2026-11-21', 'overdue'],
    ['2026-11-22', 'due_soon'],
    ['2026-12-22', 'due_soon'],
    ['2026-12-23', 'current'],
    ['2028-02-29', 'current'],
  ])('for a next inspection on %s is %s on 2026-11-22', (next, status) => {
    expect(inspectionStatus(next, '2026-11-22')).toBe(status)
  })

  it.each([
    ['2027-02-28', '2027-01-29', 'due_soon'],
    ['2027-03-01', '2027-01-29', 'current'],
    ['2028-02-28', '2028-01-29', 'due_soon'],
    ['2028-02-29', '2028-01-30', 'due_soon'],
    ['2026-12-31', '2027-01-01', 'overdue'],
  ])('counts 30 days across months: due %s, on %s it is %s', (next, today, status) => {
    expect(inspectionStatus(next, today)).toBe(status)
  })

  it('schedules the next inspection by months, at the end of shorter months', () => {
    expect([addMonths('2026-01-31', 1), addMonths('2027-02-28', 12), addMonths('2028-02-29', 12)]).toEqual([
      '2026-02-28',
      '2028-02-28',
      '2029-02-28',
    ])
    expect(addMonths('2026-11-30', 3)).toBe('2027-02-28')
  })
})
