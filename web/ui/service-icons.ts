import {
  Bell,
  BookOpen,
  CalendarDays,
  Car,
  CircleQuestionMark,
  Cog,
  CreditCard,
  Dog,
  Droplets,
  FileCheck,
  Flame,
  Hammer,
  House,
  Landmark,
  Lightbulb,
  type LucideIcon,
  MapPin,
  MessageSquare,
  Phone,
  Receipt,
  ShieldCheck,
  Trees,
  Truck,
  Users,
} from 'lucide-react'

/** The pictures that a town can give its services, by the names that they are kept under. */
const icons: Record<string, LucideIcon> = {
  bell: Bell,
  book: BookOpen,
  calendar: CalendarDays,
  car: Car,
  cog: Cog,
  'credit-card': CreditCard,
  dog: Dog,
  droplets: Droplets,
  'file-check': FileCheck,
  flame: Flame,
  hammer: Hammer,
  help: CircleQuestionMark,
  home: House,
  landmark: Landmark,
  lightbulb: Lightbulb,
  'map-pin': MapPin,
  'message-square': MessageSquare,
  phone: Phone,
  receipt: Receipt,
  shield: ShieldCheck,
  trees: Trees,
  truck: Truck,
  users: Users,
}

/** No icon draws a cog, the empty name (also called 'No-Icon') none at all (specification 2.8). A name we don't have is a cog too. */
export function iconOf(name: string | null): LucideIcon | null {
  if (name === '' || name === 'No-Icon') return null
  return icons[name ?? 'cog'] ?? Cog
}

export const iconNames: readonly string[] = Object.keys(icons)
