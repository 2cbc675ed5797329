import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StartedApplication } from '@tillstream/domain';
import type { MerchantApplicationRegistry, RequestedStep, ApplicationRequest } from '@tillstream/payments';
import { APPLICATIONS } from '../../api.parts.js';

export class TakeApplicationStep extends Command<StartedApplication> {
  constructor(
    readonly request: ApplicationRequest,
    readonly step: RequestedStep,
  ) {
    super();
  }
}

@CommandHandler(TakeApplicationStep)
export class TakeApplicationStepHandler implements ICommandHandler<TakeApplicationStep> {
  constructor(@Inject(APPLICATIONS) private readonly applications: MerchantApplicationRegistry) {}

  execute({ request, step }: TakeApplicationStep): Promise<StartedApplication> {
    return this.applications.takeStep(request, step);
  }
}

export const APPLICATION_HANDLERS = [TakeApplicationStepHandler];
