import { admittedTo } from '../access/callers.js';
import type { ControllerClass } from './routes.js';

/** Which key a route asks for, as far as a description says it. */
export type Audience = 'Merchants' | 'Operators' | 'Anyone';

/** @param handler the name of the controller's method */
export function audienceOf(controller: ControllerClass, handler: string): Audience {
  const answers = Reflect.get(controller.prototype as object, handler) as object;
  const admitted: readonly string[] = admittedTo(answers, controller) ?? [];
  if (admitted.includes('Anyone')) return 'Anyone';
  return admitted.includes('MerchantKey') ? 'Merchants' : 'Operators';
}
