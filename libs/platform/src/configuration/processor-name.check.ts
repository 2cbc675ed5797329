import type { Config } from './config.js';
import type { ProcessorFactory } from '../processors/processor.factories.js';
import { ConfigError } from './setting.kinds.js';

/**
 * Each processor of the settings has a name of its own, and routes lead to these alone.
 * @throws ConfigError
 */
export function checkProcessorNames(config: Config, openings: readonly ProcessorFactory[]): void {
  const names = [
    'sandbox',
    ...(config.moreSandboxes ?? []).map(({ name }) => name),
    ...openings.filter((one) => one.isConfigured(config)).map(({ name }) => name),
  ];
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) {
    throw new ConfigError(
      `MORE_SANDBOXES has the name "${twice}", which is that of another processor of this service; give the sandbox another.`,
    );
  }
  const lost = config.processorRoutes.find(({ processor }) => !names.includes(processor));
  if (lost) {
    throw new ConfigError(
      `PROCESSOR_ROUTES leads to "${lost.processor}"; allowed is a processor of this service: ${names.join(', ')}.`,
    );
  }
}
