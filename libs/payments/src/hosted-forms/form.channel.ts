import type { BankChannel, Channel, PaymentMethodSnapshot } from '@tillstream/domain';

type PaymentMethodType = PaymentMethodSnapshot['type'];

/** The channel of what is paid or stored through a form of this type. */
export function formChannel(type: PaymentMethodType): Channel {
  return bankChannel(type) ?? 'CardNotPresent';
}

/** Undefined: the form takes cards. */
export function bankChannel(type: PaymentMethodType): BankChannel | undefined {
  if (type === 'VirtualAch') return 'Ach';
  return type === 'VirtualEft' ? 'Eft' : undefined;
}
