import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { FormCallsController } from './form-calls.controller.js';
import { FormPageController, FormScriptController } from './form-page.controller.js';
import * as handlers from './form.handlers.js';
import { SecureReturnUrl } from './return-url.js';

/** The form that customers see; merchants open it in the modules of transactions and payment methods. */
@Module({
  controllers: [FormPageController, FormCallsController, FormScriptController],
  providers: [...handlersOf(handlers), SecureReturnUrl],
})
export class HostedFormModule {}
