import { Module } from '@nestjs/common';
import { FormCallsController } from './form-calls.controller.js';
import { FormPageController, FormScriptController } from './page/form-page.controller.js';
import { FORM_HANDLERS } from './form.handlers.js';
import { SecureReturnUrl } from './opening/return-url.js';

/** The form that customers see; merchants open it in the modules of transactions and payment methods. */
@Module({
  controllers: [FormPageController, FormCallsController, FormScriptController],
  providers: [...FORM_HANDLERS, SecureReturnUrl],
})
export class HostedFormModule {}
