import { Module } from '@nestjs/common';
import { ChallengeAnswersController, ChallengePageController } from './acs/challenge.controllers.js';
import { CompleteChallengeOfHandler } from './acs/challenge.handlers.js';
import { SandboxClockController } from './clock.controller.js';
import { CustomerAct, TerminalSettings } from './sandbox.checks.js';
import { SandboxShopController, SandboxShopPageController } from './shop/shop.controllers.js';
import { ShopServer } from './shop/shop.server.js';
import { SandboxTerminals } from './sandbox.terminals.js';
import {
  TerminalPageDataController,
  TerminalPagesController,
} from './terminal-page/terminal-pages.controllers.js';
import { TerminalRegister } from './terminal.register.js';
import { SandboxTerminalsController } from './terminals.controller.js';
import {
  WebhookTesterController,
  WebhookTesterPageController,
  WebhookTesterReceiveController,
} from './webhook-tester/tester.controllers.js';
import { TesterEndpoint } from './webhook-tester/tester.endpoint.js';
import { WebhookTester } from './webhook-tester/webhook.tester.js';

/** Only in sandbox mode. */
@Module({
  controllers: [
    SandboxTerminalsController,
    SandboxClockController,
    TerminalPagesController,
    TerminalPageDataController,
    SandboxShopPageController,
    SandboxShopController,
    ChallengePageController,
    ChallengeAnswersController,
    WebhookTesterPageController,
    WebhookTesterReceiveController,
    WebhookTesterController,
  ],
  providers: [
    CompleteChallengeOfHandler,
    ShopServer,
    TesterEndpoint,
    WebhookTester,
    TerminalRegister,
    SandboxTerminals,
    TerminalSettings,
    CustomerAct,
  ],
})
export class SandboxModule {}
