import 'reflect-metadata';

export type Audience = 'Merchants' | 'Operators' | 'Anyone';

const AUDIENCE = Symbol('audience');
const UNKNOWN_PATH = Symbol('unknown path');

const audience =
  (who: Audience) =>
  (): ClassDecorator =>
  (controller): void =>
    Reflect.defineMetadata(AUDIENCE, who, controller);

/** Whose key opens a controller. One without any of these opens to nobody. */
export const ForMerchants = audience('Merchants');
export const ForOperators = audience('Operators');
export const ForAnyone = audience('Anyone');

/** Nothing is there: a good key is asked for, but not what it may do. */
export const UnknownPath = (): ClassDecorator => (controller) =>
  Reflect.defineMetadata(UNKNOWN_PATH, true, controller);

export function audienceOf(controller: object): {
  readonly audience: Audience;
  readonly isUnknownPath: boolean;
} {
  const who = Reflect.getMetadata(AUDIENCE, controller) as Audience | undefined;
  return { audience: who ?? 'Operators', isUnknownPath: Reflect.hasMetadata(UNKNOWN_PATH, controller) };
}
