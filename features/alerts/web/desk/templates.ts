import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { AlertForm } from '../../contract-staff.ts'

type TemplateValues = Pick<AlertForm, 'event' | 'category' | 'severity' | 'urgency' | 'certainty' | 'en' | 'es'>

interface Template {
  name: MessageDescriptor
  /**
   * Service of the alert: the first service with a name that matches `pattern`. If none matches and `orEmergency` is
   * true, the first emergency service.
   */
  service: { pattern: RegExp; orEmergency: boolean }
  form: TemplateValues
}

/** Templates of common alerts. Staff replace the placeholders in square brackets. */
export const templates: Readonly<Record<string, Template>> = {
  boil: {
    name: msg`Boil water advisory`,
    service: { pattern: /emergenc|drinking|boil/i, orEmergency: true },
    form: {
      event: 'Boil water advisory',
      category: 'Health',
      severity: 'Severe',
      urgency: 'Immediate',
      certainty: 'Likely',
      en: {
        headline: 'Boil water before you drink it',
        description: 'A water main broke at [place]. The water may not be safe to drink.',
        instruction: 'Let water boil for one minute before you drink it, cook with it or brush your teeth.',
      },
      es: {
        headline: 'Hierva el agua antes de beberla',
        description: 'Se rompió una tubería en [lugar]. Es posible que el agua no sea segura para beber.',
        instruction: 'Hierva el agua un minuto antes de beberla, cocinar o cepillarse los dientes.',
      },
    },
  },
  flood: {
    name: msg`Flood`,
    service: { pattern: /flood|emergenc|weather/i, orEmergency: true },
    form: {
      event: 'Flood warning',
      category: 'Met',
      severity: 'Extreme',
      urgency: 'Immediate',
      certainty: 'Observed',
      en: {
        headline: 'Flood: leave low-lying areas now',
        description: 'The water at [place] is rising fast.',
        instruction: 'Go to higher ground. Never drive or walk through water. The shelter is at [place].',
      },
      es: {
        headline: 'Inundación: deje las zonas bajas ahora',
        description: 'El agua en [lugar] sube rápido.',
        instruction: 'Vaya a un lugar alto. Nunca conduzca ni camine por el agua. El refugio está en [lugar].',
      },
    },
  },
  snow: {
    name: msg`Snow emergency`,
    service: { pattern: /snow|weather|parking/i, orEmergency: true },
    form: {
      event: 'Snow emergency',
      category: 'Transport',
      severity: 'Moderate',
      urgency: 'Expected',
      certainty: 'Likely',
      en: {
        headline: 'Snow emergency: no parking on snow routes',
        description: 'Snow is expected starting [time]. Plows need clear streets.',
        instruction: 'Move your car off the street by [time], or it will be towed.',
      },
      es: {
        headline: 'Emergencia de nieve: no estacione en las rutas de nieve',
        description: 'Se espera nieve desde las [hora]. Las quitanieves necesitan las calles.',
        instruction: 'Retire su auto de la calle antes de las [hora], o será remolcado.',
      },
    },
  },
  road: {
    name: msg`Road closed`,
    service: { pattern: /road|street|traffic|closure/i, orEmergency: false },
    form: {
      event: 'Road closure',
      category: 'Transport',
      severity: 'Minor',
      urgency: 'Expected',
      certainty: 'Observed',
      en: {
        headline: '[Street] is closed',
        description: '[Street] is closed between [place] and [place] from [day] to [day].',
        instruction: 'Use [street] instead.',
      },
      es: {
        headline: '[Calle] está cerrada',
        description: '[Calle] está cerrada entre [lugar] y [lugar] del [día] al [día].',
        instruction: 'Vaya por [calle].',
      },
    },
  },
  event: {
    name: msg`Community news`,
    service: { pattern: /news|event|communit|council|market/i, orEmergency: false },
    form: {
      event: 'Community news',
      category: 'Other',
      severity: 'Minor',
      urgency: 'Future',
      certainty: 'Likely',
      en: { headline: '', description: '', instruction: '' },
      es: { headline: '', description: '', instruction: '' },
    },
  },
}

/** Type of service that reaches everyone (spec 9.4). */
const EMERGENCY_TYPE = 1

/** Returns the id of the company's service for a template. Empty if staff must choose a service. */
export function serviceOf(
  { service }: Template,
  services: readonly { id: number; type: number; name: string }[],
): string {
  const match =
    services.find(({ name }) => service.pattern.test(name)) ??
    (service.orEmergency ? services.find(({ type }) => type === EMERGENCY_TYPE) : undefined)
  return match ? String(match.id) : ''
}
