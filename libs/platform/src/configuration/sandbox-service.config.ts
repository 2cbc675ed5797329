import { helpText, valuesOf, type ValuesOf } from './config.js';
import { SANDBOX_SERVICE_SETTINGS } from './sandbox-service.settings.js';
import { ConfigError } from './setting.kinds.js';

export type SandboxServiceConfig = Omit<ValuesOf<typeof SANDBOX_SERVICE_SETTINGS>, 'secret'> & {
  readonly secret: string;
};

/** @throws ConfigError */
export function readSandboxServiceConfig(
  environment: Readonly<Record<string, string | undefined>>,
): SandboxServiceConfig {
  const { secret, ...config } = valuesOf(SANDBOX_SERVICE_SETTINGS, environment);
  if (secret === undefined) {
    throw new ConfigError(
      'SANDBOX_SECRET is missing; set it to 16 characters or more (openssl rand -hex 32), here and for the API.',
    );
  }
  return { ...config, secret };
}

/** `--help`. */
export function sandboxServiceHelp(): string {
  return helpText('npm run sandbox', SANDBOX_SERVICE_SETTINGS);
}
