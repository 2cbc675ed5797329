import type { OperationId } from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import { closeNotExecuted, interrupt, notSent, recordResponse, resend } from '../decide/attempt.decide.js';
import type { AttemptResponse } from '../../attempt/index.js';
import type { PaymentDecision } from '../payment.commands.js';
import { capture, openPayment, refund, voidOperation } from '../payment.decide.js';
import type { PaymentEvent } from '../payment.events.js';
import { evolvePayment } from '../payment.evolve.js';
import {
  expireAuthorization,
  recordBankReturn,
  reverseLateApproval,
} from '../decide/reversals-and-returns.decide.js';
import {
  cancelForm,
  completeThreeDs,
  endChallenge,
  expireForm,
  openChallenge,
  submitForm,
} from '../decide/hosted-form.decide.js';
import { authorizationBalance, captureBalance } from '../payment.balance.js';
import { movedAmount, noPayment, type Operation, type PaymentState } from '../payment.state.js';
import type { AmountChoice, PaymentAction } from './operation-arbitraries.testing.js';
import { chosenAmount, deepFreeze } from './amount-choice.testing.js';
import { factDecision, type FactAction } from './external-facts.testing.js';
import { answerOf } from './processor-answers.testing.js';
import { mayBeSent } from '../../three-ds/index.js';
import { CONSENT, FORM, ORIGINAL, hours, trx } from './histories.testing.js';

type ExternalAction = FactAction | Extract<PaymentAction, { does: 'return' }>;

/** Applies actions to one payment. With `honest`, each key ends once, and the bank returns at most the open amount, or more. */
export class SimulatedPayment {
  state: PaymentState = noPayment;
  readonly history: PaymentEvent[] = [];
  private hour = 0;
  private commandCount = 0;
  /** The processor's final answer for each key. */
  private readonly executed = new Map<string, AttemptResponse | 'never'>();
  /** Keys that a bank accepted: it answers them, and never says that they were not executed. */
  private readonly accepted = new Set<string>();

  constructor(
    private readonly honest: boolean,
    private readonly onDecision: (decide: () => PaymentDecision, before: PaymentState) => PaymentDecision,
    private readonly returnsMore = false,
  ) {}

  apply(action: PaymentAction): void {
    const decide = this.decisionFor(action);
    if (!decide) return;
    const { state } = this;
    const decision = this.onDecision(() => decide(state), state);
    if (decision.kind === 'Rejected') return;
    for (const event of decision.events) {
      this.history.push(event);
      this.state = deepFreeze(evolvePayment(this.state, event));
    }
  }

  /** An honest processor promised never to execute the attempt. */
  isNever({ id, attempt }: Operation): boolean {
    return this.executed.get(`${id}.${attempt?.number}`) === 'never';
  }

  private get at(): string {
    return hours(this.hour);
  }

  private get plan() {
    const soon = hours(this.hour + 0.01);
    return { sendBefore: soon, answerBefore: soon, processor: 'sandbox', processorAccount: 'acct' };
  }

  private commandId(repeated = false): string {
    return `command-${repeated ? Math.max(this.commandCount - 2, 1) : ++this.commandCount}`;
  }

  private operation(of: number): Operation | undefined {
    if (this.state.status === 'None') return undefined;
    const { operations } = this.state;
    if (of < 0) return operations[0];
    return operations[operations.length - 1 - (of % (operations.length + 1))];
  }

  private decisionFor(action: PaymentAction): ((state: PaymentState) => PaymentDecision) | undefined {
    const { at, plan } = this;
    switch (action.does) {
      case 'wait':
        this.hour += action.hours;
        return undefined;
      case 'open': {
        const { kind, amount, channel } = action;
        const command = {
          at,
          kind,
          amount,
          channel: action.form && channel !== 'Ach' ? ('CardNotPresent' as const) : channel,
          commandId: this.commandId(),
          operationId: ORIGINAL,
          merchantId: 'mer_1',
          currency: 'USD' as const,
          paymentMethod: { id: 'pmt_1', type: 'Token' as const, currency: 'USD' as const },
          ...(action.form ? { form: { ...FORM, expiresAt: hours(this.hour + 0.5) } } : { attemptPlan: plan }),
        };
        return (state) => openPayment(state, command);
      }
      case 'ask': {
        const original = this.operation(action.of);
        const amount = this.amountOf(action.amount, original);
        const command = {
          at,
          commandId: this.commandId(action.repeated),
          originalOperationId: original?.id ?? trx(77),
          sendWindow: plan,
          ...(amount !== undefined && { amount }),
          ...(action.breakdown && amount !== undefined && { amountBreakdown: { tax: amount } }),
        };
        const decide = { capture, refund, void: voidOperation }[action.verb];
        return (state) => decide(state, command);
      }
      case 'answer':
        return this.responseDecision(action);
      case 'interrupt':
      case 'notSent':
      case 'notExecuted':
      case 'resend':
      case 'openChallenge':
      case 'endChallenge':
        return this.attemptDecision(action);
      case 'completeThreeDs':
        return this.threeDsDecision(action);
      case 'submitForm': {
        const command = {
          at,
          operationId: ORIGINAL,
          commandId: this.commandId(action.repeated),
          attemptPlan: plan,
          consent: CONSENT,
        };
        return (state) => submitForm(state, command);
      }
      case 'leaveForm':
        return (state) => cancelForm(state, { at, operationId: ORIGINAL });
      case 'expireForm':
        return (state) => expireForm(state, { at, operationId: ORIGINAL });
      case 'expire':
      case 'reverseLate': {
        const operationId = this.operation(action.of)?.id ?? trx(77);
        const command = { at, operationId, commandId: this.commandId(), sendWindow: plan };
        return (state) =>
          action.does === 'expire'
            ? expireAuthorization(state, command)
            : reverseLateApproval(state, command);
      }
      default:
        return this.externalDecision(action);
    }
  }

  private externalDecision(action: ExternalAction): ((state: PaymentState) => PaymentDecision) | undefined {
    const operation = this.operation(action.of);
    const target = { at: this.at, operationId: operation?.id ?? trx(77) };
    if (action.does !== 'return') return factDecision(action, target);
    const amount = Math.max(this.amountOf(action.amount, operation) ?? 1, 1);
    if (this.honest && !this.mayReturn(operation, amount)) return undefined;
    const returned = { returnId: `return-${action.id}`, code: 'R01', reason: 'none', amount };
    return (state) => recordBankReturn(state, { ...target, ...returned });
  }

  private responseDecision(
    action: Extract<PaymentAction, { does: 'answer' }>,
  ): ((state: PaymentState) => PaymentDecision) | undefined {
    const operation = this.operation(action.of);
    const number = action.try || (operation?.attempt?.number ?? 1);
    const answer = this.processorResponse(operation, number, action);
    if (!answer) return undefined;
    const command = {
      at: this.at,
      operationId: operation?.id ?? trx(77),
      try: number,
      source: action.source,
      answer,
      receiptLines: [],
      expiresAt: hours(this.hour + 24 * 7),
      nextWindow: this.plan,
    };
    return (state) => recordResponse(state, command);
  }

  /** An honest processor answers only requested attempts, and gives the same answer for a key every time. */
  private processorResponse(
    operation: Operation | undefined,
    number: number,
    action: Extract<PaymentAction, { does: 'answer' }>,
  ): AttemptResponse | undefined {
    const requested = operation?.attempt?.amount ?? operation?.amount ?? 1;
    const answer = answerOf(action, requested);
    if (!this.honest) return answer;
    if (!operation?.attempt || number > operation.attempt.number) return undefined;
    const key = `${operation.id}.${number}`;
    const before = this.executed.get(key);
    if (before) return before === 'never' ? undefined : before;
    if (answer.kind === 'Submitted') {
      this.accepted.add(key);
      return answer;
    }
    const honest: AttemptResponse =
      answer.kind === 'Approved'
        ? { ...answer, amount: Math.max(Math.min(answer.amount, requested), 1) }
        : answer;
    this.executed.set(key, honest);
    return honest;
  }

  private attemptDecision(
    action: Extract<
      PaymentAction,
      { does: 'interrupt' | 'notSent' | 'notExecuted' | 'resend' | 'openChallenge' | 'endChallenge' }
    >,
  ): ((state: PaymentState) => PaymentDecision) | undefined {
    const operation = this.operation(action.of);
    const number = action.try || (operation?.attempt?.number ?? 1);
    const ofAttempt = { at: this.at, operationId: operation?.id ?? trx(77), try: number };
    const { sendBefore, answerBefore } = this.plan;
    const challenge = { ...ofAttempt, challengeId: 'challenge' };
    switch (action.does) {
      case 'interrupt':
        return (state) => interrupt(state, { ...ofAttempt, cause: 'NoAnswer', lostLink: false });
      case 'resend':
        return (state) => resend(state, { ...ofAttempt, sendBefore, answerBefore });
      case 'openChallenge':
        return (state) =>
          openChallenge(state, {
            ...challenge,
            redirectUrl: 'http://acs',
            expiresAt: hours(this.hour + 0.1),
          });
      case 'endChallenge':
        return (state) => endChallenge(state, { ...challenge, threeDs: { status: 'Authenticated' } });
      case 'notSent':
        if (this.honest && !this.neverExecuted(ofAttempt.operationId, number)) return undefined;
        return (state) => notSent(state, { ...ofAttempt, reason: 'too late' });
      case 'notExecuted':
        if (this.honest && !this.neverExecuted(ofAttempt.operationId, number)) return undefined;
        return (state) => closeNotExecuted(state, { ...ofAttempt, source: 'Annul' });
    }
  }

  private threeDsDecision({
    of,
    try: named,
    status,
    challenged,
  }: Extract<PaymentAction, { does: 'completeThreeDs' }>):
    ((state: PaymentState) => PaymentDecision) | undefined {
    const operation = this.operation(of);
    const number = named || (operation?.attempt?.number ?? 1);
    const command = {
      ...{ at: this.at, operationId: operation?.id ?? trx(77), try: number },
      ...(challenged && { challengeId: 'challenge' }),
      threeDs: { status },
      resumes: this.plan,
    };
    // The service sends no attempt whose authentication failed.
    const isEnded = !mayBeSent(command.threeDs) && this.honest;
    if (isEnded && !this.neverExecuted(command.operationId, number)) return undefined;
    return (state) => completeThreeDs(state, command);
  }

  private neverExecuted(operationId: OperationId, number: number): boolean {
    const key = `${operationId}.${number}`;
    if (this.accepted.has(key)) return false;
    if (!this.executed.has(key)) this.executed.set(key, 'never');
    return this.executed.get(key) === 'never';
  }

  /** A bank returns what it approved. */
  private mayReturn(operation: Operation | undefined, amount: Cents): boolean {
    if (!operation || !isCapture(operation)) return false;
    return this.returnsMore ? movedAmount(operation) > 0 : amount <= this.balance(operation).open;
  }

  private balance(operation: Operation): { readonly open: Cents; readonly held: Cents } {
    if (this.state.status === 'None') return { open: 0, held: 0 };
    const balance = operation.kind === 'Auth' ? authorizationBalance : captureBalance;
    return balance(this.state, operation);
  }

  private amountOf(choice: AmountChoice, original: Operation | undefined): Cents | undefined {
    const { open, held } = original ? this.balance(original) : { open: 1, held: 0 };
    return chosenAmount(choice, { open, held, all: original ? movedAmount(original) : 1 });
  }
}

function isCapture({ kind }: Operation): boolean {
  return kind === 'Sale' || kind === 'Capture';
}
