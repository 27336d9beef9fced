import { Droplet, FileText, House, Mail, Printer, Receipt, Truck } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Amounts, Card, DetailList, Panel, Perforation, Sheet, SheetPart, Ticket } from '../ui/Card.tsx'
import { Plat, Seal } from '../ui/Emblem.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/States.tsx'
import { StatusBadge, type StatusKind } from '../ui/StatusBadge.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Tile } from '../ui/Tile.tsx'
import { Columns, Row, Section } from './Section.tsx'

export const Emblems = () => (
  <Section title="Plat, seal, ticket">
    <Row>
      <Seal name="City of Clearbrook" size={88} />
      <Seal name="Borough of Maple Grove" size={64} />
      <Seal name="Harbor City" />
      <Seal name="Old Mill" size={32} />
    </Row>
    <div className="relative overflow-hidden bg-deep text-white">
      <Plat seed="maplegrove" className="absolute inset-0 size-full" />
      <div className="relative grid items-center gap-8 p-6 md:p-10 lg:grid-cols-[1fr_26rem]">
        <div>
          <p className="mb-2 font-bold text-on-deep-soft text-sm">Online services · Maple Grove, PA</p>
          <p className="font-bold font-display text-h1">City hall, open all hours.</p>
        </div>
        <Ticket>
          <h3 className="text-ink">Pay without signing in</h3>
          <p className="mb-3 text-muted text-sm">Your account number is at the top right of your bill.</p>
          <div className="flex flex-wrap items-end gap-2 text-ink">
            <TextField label="Account number" className="min-w-40 flex-1" />
            <Button variant="primary">Continue</Button>
          </div>
        </Ticket>
      </div>
    </div>
  </Section>
)

export const Tiles = () => (
  <Section title="Tiles">
    <ul className="grid gap-5 lg:grid-cols-3">
      <Tile title="Utility Customer Portal" icon={Droplet} href="/design?to=utility" wide>
        Pay a utility bill; view, print or download it; see a year of billing and use.
      </Tile>
      <Tile title="Pay a Bill" icon={Receipt} href="/design?to=bills">
        Taxes, parking tickets, permit fees, dog licenses, anything.
      </Tile>
      <Tile title="Get Stuff Done" icon={FileText} inactive>
        Business license, parade permit, voter registration.
      </Tile>
      <Tile title="Communicate" icon={Mail} href="/design?to=mail">
        Complaints, potholes, street lights, stray dogs.
      </Tile>
      <Tile
        title="Move In / Move Out"
        icon={Truck}
        links={
          <>
            <Link className="link" to="/design?to=in">
              Move in
            </Link>
            <Link className="link" to="/design?to=out">
              Move out
            </Link>
          </>
        }
      >
        Set up, switch or cancel services.
      </Tile>
    </ul>
  </Section>
)

const statuses: [StatusKind, string][] = [
  ['good', 'Successful'],
  ['waiting', 'Pending'],
  ['attention', 'Due Soon'],
  ['bad', 'Declined'],
  ['undone', 'Refunded'],
  ['neutral', 'Unknown'],
]

export const Documents = () => (
  <Section title="Cards, notices, receipt">
    <Row>
      {statuses.map(([kind, word]) => (
        <StatusBadge key={kind} kind={kind}>
          {word}
        </StatusBadge>
      ))}
    </Row>
    <Columns>
      <Panel
        title="Upcoming Inspections"
        id="upcoming"
        aside={
          <a className="link text-sm" href="#tiles">
            See all
          </a>
        }
      >
        <p className="text-muted">No upcoming inspections.</p>
      </Panel>
      <div className="flex flex-col gap-3">
        <Notice>Leaf collection begins Monday, December 1.</Notice>
        <Notice tone="success" title="Profile saved." />
        <Notice tone="warning" title="TEST: no money moves">
          This town tries things out.
        </Notice>
        <Notice tone="danger">Check the account number.</Notice>
      </div>
      <Card>A card with nothing but text.</Card>
    </Columns>
    <div className="mt-8 max-w-form">
      <Sheet>
        <SheetPart>
          <div className="mb-5 flex items-center gap-3">
            <Seal name="City of Clearbrook" size={52} />
            <div>
              <p className="font-bold font-display text-h3 leading-tight">City of Clearbrook</p>
              <p className="text-muted text-sm">210 Courthouse Square, Clearbrook, OH 43301</p>
            </div>
          </div>
          <DetailList
            details={[
              ['Receipt', 'P104465'],
              ['Date', 'November 20, 2026, 4:12 PM'],
              ['Account', '64375-361'],
              ['Paid by', 'Visa ending 4242'],
              [
                'Status',
                <StatusBadge key="status" kind="good">
                  Successful
                </StatusBadge>,
              ],
            ]}
          />
        </SheetPart>
        <Perforation />
        <SheetPart>
          <Amounts
            lines={[
              { id: 1, label: 'Electricity, 601 kWh', amount: '$85.34' },
              { id: 2, label: 'Water and sewer, 4,200 gal', amount: '$41.18' },
              { id: 3, label: 'Refuse and recycling', amount: '$18.50' },
              { id: 4, label: 'Convenience fee', amount: '$4.29' },
            ]}
            total={{ label: 'Total paid', amount: '$149.31' }}
          />
        </SheetPart>
      </Sheet>
      <div className="mt-5">
        <Button variant="primary" icon={Printer} onClick={() => globalThis.print()}>
          Print receipt
        </Button>
      </div>
    </div>
  </Section>
)

export const StatesSection = () => (
  <Section title="Empty, loading, error">
    <Columns>
      <Card>
        <EmptyState
          title="No utility account linked yet"
          icon={House}
          action={<Button variant="primary">Link an account</Button>}
        >
          Link one with the account number at the top right of your bill. It takes about a minute.
        </EmptyState>
      </Card>
      <Card>
        <LoadingState>Loading your payments. Usually under two seconds.</LoadingState>
      </Card>
      <ErrorState
        title="Your payment did not go through"
        money="Nothing was charged."
        next="Try another card or pay by eCheck. If it happens again, call (740) 555-0142."
        reference="E-4471"
        actions={
          <>
            <Button variant="primary">Try again</Button>
            <Button>Pay by eCheck</Button>
          </>
        }
      >
        The card issuer declined it.
      </ErrorState>
    </Columns>
  </Section>
)
