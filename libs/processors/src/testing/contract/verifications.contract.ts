import { describe, expect, it } from '@jest/globals';
import type { ProcessorResponse, VerificationResponse } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, credentialOf, secretOf, type ContractSetup } from './contract.setup.js';
import { FaultyProcessor } from '../faulty.processor.js';

/** A card is verified once per key, and later queries return its credential again. */
export function verificationsContract(setup: ContractSetup): void {
  describe('verifications', () => {
    it('an approved verification has a credential and moves 0.00', async () => {
      const key = newKey();
      const answer = await setup.processor.verify(setup.cardToStore(), attemptCall(key));
      expect(answer).toMatchObject(approved(0));
      expect(credentialOf(answer)).toEqual(setup.credentialOfCard);
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    it('a verification at a terminal has a credential, and its facts name the terminal', async () => {
      const answer = await setup.processor.verify(setup.terminalCardToStore(), attemptCall(newKey()));
      expect(answer).toMatchObject({
        ...approved(0),
        facts: { terminalId: setup.underTest.terminalId },
        credential: setup.anyCredential,
      });
    });

    it('the facts describe the card, without its number', async () => {
      for (const request of [setup.cardToStore(), setup.terminalCardToStore()]) {
        const answer = await setup.processor.verify(request, attemptCall(newKey()));
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
        expect(JSON.stringify(rest)).not.toContain(setup.underTest.card.number);
      }
    });

    it('a declined verification has no credential', async () => {
      const key = newKey();
      const answer = await setup.processor.verify(
        setup.cardToStore(setup.underTest.decliningCard),
        attemptCall(key),
      );
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(answer).not.toHaveProperty('credential');
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('an expired card is declined with 12', async () => {
      const expired = setup.cardToStore({ ...setup.underTest.card, expDate: '0120' });
      const answer = await setup.processor.verify(expired, attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 12 } });
    });

    it('a repeated key gets the first response, also with another card', async () => {
      const key = newKey();
      const first = await setup.processor.verify(setup.cardToStore(), attemptCall(key));
      await setup.restart();
      const again = setup.cardToStore(setup.underTest.decliningCard);
      expect(await setup.processor.verify(again, attemptCall(key))).toEqual(first);
    });

    it('20 verifications of a key at once, through two adapters, get one answer', async () => {
      const key = newKey();
      const adapters = [setup.processor, setup.underTest.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? setup.processor).verify(setup.cardToStore(), attemptCall(key)),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    });

    it('after an annulment the card is never verified', async () => {
      const key = newKey();
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'Annulled' });
      await setup.restart();
      const answer = await setup.processor.verify(setup.cardToStore(), attemptCall(key));
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(answer).not.toHaveProperty('credential');
    });

    it('a verification can be neither captured, voided, refunded nor reversed', async () => {
      const key = newKey();
      await setup.processor.verify(setup.cardToStore(), attemptCall(key));
      for (const operation of ['capture', 'void', 'refund', 'reverse'] as const) {
        const answer = await setup.processor[operation](setup.about(key, 100), attemptCall(newKey()));
        expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 20 } });
      }
    });

    it('nothing is sent after sendBefore has passed', async () => {
      const key = newKey();
      const late = attemptCall(key, { sendBefore: Date.now() - 1 });
      expect(await setup.processor.verify(setup.cardToStore(), late)).toMatchObject({ kind: 'NotSent' });
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'NotFound' });
    });

    foundAgain(setup);
  });
}

/** The process may die before the credential is in the vault: a later query must return it. */
function foundAgain(setup: ContractSetup): void {
  it('an inquiry after a lost response finds the credential, after a restart too', async () => {
    const key = newKey();
    const faulty = new FaultyProcessor(setup.processor);
    faulty.inject('verify', 'NoAnswerAfter');
    expect(await faulty.verify(setup.cardToStore(), attemptCall(key))).toEqual({ kind: 'NoAnswer' });
    const found = { kind: 'Found', answer: { kind: 'Approved', credential: setup.credentialOfCard } };
    expect(await setup.processor.inquire(setup.inquiry(key))).toMatchObject(found);
    await setup.restart();
    expect(await setup.processor.inquire(setup.inquiry(key))).toMatchObject(found);
  });

  it('an inquiry, an annulment and the last transaction return the response with its credential', async () => {
    const key = newKey();
    const answer = await setup.processor.verify(setup.terminalCardToStore(), attemptCall(key));
    expect(credentialOf(answer)).toBeDefined();
    const { terminalId } = setup.underTest;
    expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
    expect(await setup.processor.lastTransaction(terminalId, setup.inquiry(key))).toEqual({
      kind: 'Found',
      answer,
    });
    expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
  });

  it('a late response has its credential', async () => {
    const faulty = new FaultyProcessor(setup.processor);
    faulty.inject('verify', 'LateAnswer');
    let onLateResponse: (response: ProcessorResponse) => void = () => undefined;
    const lateResponse = new Promise<ProcessorResponse>((resolve) => (onLateResponse = resolve));
    const call = attemptCall(newKey(), { onLateResponse });
    expect(await faulty.verify(setup.cardToStore(), call)).toEqual({ kind: 'NoAnswer' });
    expect(credentialOf((await lateResponse) as VerificationResponse)).toEqual(setup.credentialOfCard);
  });
}

/** A verified card can be charged without the customer: without a CVV and without a terminal. */
export function storedCardsContract(setup: ContractSetup): void {
  describe('stored cards', () => {
    it('a verified card pays with its credential alone', async () => {
      for (const request of [setup.cardToStore(), setup.terminalCardToStore()]) {
        const credential = await setup.storedCredential(request);
        for (const operation of ['sale', 'authorize'] as const) {
          const answer = await setup.processor[operation](
            setup.byToken(700, credential),
            attemptCall(newKey()),
          );
          expect(answer).toMatchObject({ ...approved(700), facts: { entryMode: 'Stored' } });
          expect(answer).not.toHaveProperty('facts.cvvResult');
        }
      }
    });

    it('the response to a payment has no credential, and its facts have no secret', async () => {
      const credential = await setup.storedCredential();
      const key = newKey();
      const answer = await setup.processor.sale(setup.byToken(700, credential), attemptCall(key));
      const found = await setup.processor.inquire(setup.inquiry(key));
      expect(JSON.stringify([answer, found])).not.toContain(secretOf(credential));
      expect(answer).not.toHaveProperty('credential');
    });

    setup.itWith('storedExpiry')('an expired stored card is declined with 12', async () => {
      const credential = { ...(await setup.storedCredential()), expDate: '0120' };
      const answer = await setup.processor.sale(setup.byToken(700, credential), attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 12 } });
    });
  });
}
