import type { MerchantApplication } from '@tillstream/contracts';
import { pick, type StartedApplication } from '@tillstream/domain';

export function merchantApplicationShape(application: StartedApplication): MerchantApplication {
  const { requiredActions } = application;
  return {
    ...pick(application, 'id', 'status', 'reason'),
    ...(requiredActions && { requiredActions: [...requiredActions] }),
  };
}
