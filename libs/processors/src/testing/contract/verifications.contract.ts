import { describe, expect, it } from '@jest/globals';
import type { ProcessorResponse, VerificationResponse } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, credentialOf, secretOf, type ContractSetup } from './contract.setup.js';
import { FaultyProcessor } from '../faulty.processor.js';

/** A card is checked once per key, and what is needed to store it can be had again. */
export function verificationsContract(stage: ContractSetup): void {
  describe('verifications', () => {
    it('an approved card gives its credential, for 0.00', async () => {
      const key = newKey();
      const answer = await stage.processor.verify(stage.cardToStore(), attemptCall(key));
      expect(answer).toMatchObject(approved(0));
      expect(credentialOf(answer)).toEqual(stage.credentialOfCard);
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });

    it('the card of a terminal gives its credential too, and says which terminal', async () => {
      const answer = await stage.processor.verify(stage.terminalCardToStore(), attemptCall(newKey()));
      expect(answer).toMatchObject({
        ...approved(0),
        facts: { terminalId: stage.underTest.terminalId },
        credential: stage.anyCredential,
      });
    });

    it('the facts say what card it is, and never its number', async () => {
      for (const request of [stage.cardToStore(), stage.terminalCardToStore()]) {
        const answer = await stage.processor.verify(request, attemptCall(newKey()));
        const credential = credentialOf(answer);
        const end = 'token' in credential ? '\\d{4}' : credential.number.slice(-4);
        const { credential: _secret, ...rest } = { credential: undefined, ...answer };
        expect(rest).toMatchObject({
          facts: {
            card: {
              cardType: expect.any(String),
              maskedCardNumber: expect.stringMatching(new RegExp(`\\*.*${end}$`)),
            },
          },
        });
        expect(JSON.stringify(rest)).not.toContain(secretOf(credential));
        expect(JSON.stringify(rest)).not.toContain(stage.underTest.card.number);
      }
    });

    it('a declined card gives no credential', async () => {
      const key = newKey();
      const answer = await stage.processor.verify(
        stage.cardToStore(stage.underTest.decliningCard),
        attemptCall(key),
      );
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(answer).not.toHaveProperty('credential');
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('an expired card is declined with 12', async () => {
      const expired = stage.cardToStore({ ...stage.underTest.card, expDate: '0120' });
      const answer = await stage.processor.verify(expired, attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 12 } });
    });

    it('a repeated key checks nothing again, whatever card comes with it', async () => {
      const key = newKey();
      const first = await stage.processor.verify(stage.cardToStore(), attemptCall(key));
      await stage.restart();
      const again = stage.cardToStore(stage.underTest.decliningCard);
      expect(await stage.processor.verify(again, attemptCall(key))).toEqual(first);
    });

    it('20 verifications of a key at once, through two adapters, get one answer', async () => {
      const key = newKey();
      const adapters = [stage.processor, stage.underTest.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? stage.processor).verify(stage.cardToStore(), attemptCall(key)),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    });

    it('after an annulment the card is never checked', async () => {
      const key = newKey();
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'Annulled' });
      await stage.restart();
      const answer = await stage.processor.verify(stage.cardToStore(), attemptCall(key));
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(answer).not.toHaveProperty('credential');
    });

    it('nothing can be captured, voided or refunded of it', async () => {
      const key = newKey();
      await stage.processor.verify(stage.cardToStore(), attemptCall(key));
      for (const operation of ['capture', 'void', 'refund', 'reverse'] as const) {
        const answer = await stage.processor[operation](stage.about(key, 100), attemptCall(newKey()));
        expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 20 } });
      }
    });

    it('nothing is sent after sendBefore has passed', async () => {
      const key = newKey();
      const late = attemptCall(key, { sendBefore: Date.now() - 1 });
      expect(await stage.processor.verify(stage.cardToStore(), late)).toMatchObject({ kind: 'NotSent' });
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'NotFound' });
    });

    foundAgain(stage);
  });
}

/** A process may die between the answer and the vault: whoever asks then has to get the credential. */
function foundAgain(stage: ContractSetup): void {
  it('an inquiry after a lost answer finds the credential, after a restart too', async () => {
    const key = newKey();
    const faulty = new FaultyProcessor(stage.processor);
    faulty.inject('verify', 'NoAnswerAfter');
    expect(await faulty.verify(stage.cardToStore(), attemptCall(key))).toEqual({ kind: 'NoAnswer' });
    const found = { kind: 'Found', answer: { kind: 'Approved', credential: stage.credentialOfCard } };
    expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject(found);
    await stage.restart();
    expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject(found);
  });

  it('an inquiry, an annulment and the last transaction give the answer as it was, credential included', async () => {
    const key = newKey();
    const answer = await stage.processor.verify(stage.terminalCardToStore(), attemptCall(key));
    expect(credentialOf(answer)).toBeDefined();
    const { terminalId } = stage.underTest;
    expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    expect(await stage.processor.lastTransaction(terminalId, stage.inquiry(key))).toEqual({
      kind: 'Found',
      answer,
    });
    expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
  });

  it('an answer that comes late is handed on with its credential', async () => {
    const faulty = new FaultyProcessor(stage.processor);
    faulty.inject('verify', 'LateAnswer');
    let handOn: (answer: ProcessorResponse) => void = () => undefined;
    const handedOn = new Promise<ProcessorResponse>((resolve) => (handOn = resolve));
    const call = attemptCall(newKey(), { onLateResponse: handOn });
    expect(await faulty.verify(stage.cardToStore(), call)).toEqual({ kind: 'NoAnswer' });
    expect(credentialOf((await handedOn) as VerificationResponse)).toEqual(stage.credentialOfCard);
  });
}

/** What was verified can be charged without the customer: no CVV, and no terminal. */
export function storedCardsContract(stage: ContractSetup): void {
  describe('stored cards', () => {
    it('a card that was verified pays by its credential alone', async () => {
      for (const request of [stage.cardToStore(), stage.terminalCardToStore()]) {
        const credential = await stage.storedCredential(request);
        for (const operation of ['sale', 'authorize'] as const) {
          const answer = await stage.processor[operation](
            stage.byToken(700, credential),
            attemptCall(newKey()),
          );
          expect(answer).toMatchObject({ ...approved(700), facts: { entryMode: 'Stored' } });
          expect(answer).not.toHaveProperty('facts.cvvResult');
        }
      }
    });

    it('a payment has no credential, and its facts nothing of it', async () => {
      const credential = await stage.storedCredential();
      const key = newKey();
      const answer = await stage.processor.sale(stage.byToken(700, credential), attemptCall(key));
      const found = await stage.processor.inquire(stage.inquiry(key));
      expect(JSON.stringify([answer, found])).not.toContain(secretOf(credential));
      expect(answer).not.toHaveProperty('credential');
    });

    stage.itWith('storedExpiry')('an expired one is declined with 12', async () => {
      const credential = { ...(await stage.storedCredential()), expDate: '0120' };
      const answer = await stage.processor.sale(stage.byToken(700, credential), attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 12 } });
    });
  });
}
