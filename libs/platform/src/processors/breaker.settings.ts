import type { BreakerSettings } from '@tillstream/processors';
import type { Config } from '../configuration/config.js';

export function breakerSettings({
  breakerFailures: failures,
  breakerFailurePercent: percent,
  breakerWindow: windowMs,
  breakerOpen: openMs,
}: Pick<
  Config,
  'breakerFailures' | 'breakerFailurePercent' | 'breakerWindow' | 'breakerOpen'
>): BreakerSettings {
  return { failures, percent, windowMs, openMs };
}
