import type { Config } from './config.js';
import type { ProcessorFactory } from '../processors/processor.factories.js';
import { ConfigError } from './setting.kinds.js';

/** @throws ConfigError if two processors have the same name, or if a route names an unknown processor */
export function checkProcessorNames(config: Config, factories: readonly ProcessorFactory[]): void {
  const names = [
    'sandbox',
    ...(config.moreSandboxes ?? []).map(({ name }) => name),
    ...factories.filter((factory) => factory.isConfigured(config)).map(({ name }) => name),
  ];
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined) {
    throw new ConfigError(
      `MORE_SANDBOXES has the name "${duplicate}", which is that of another processor of this service; give the sandbox another.`,
    );
  }
  const wrong = config.processorRoutes.find(({ processor }) => !names.includes(processor));
  if (wrong) {
    throw new ConfigError(
      `PROCESSOR_ROUTES leads to "${wrong.processor}"; allowed is a processor of this service: ${names.join(', ')}.`,
    );
  }
}
