import { describe, expect, it } from '@jest/globals';
import type { Answer, VerifyAnswer } from '../processor.port.js';
import { callOf, newKey } from './call.js';
import { approved, credentialOf, secretOf, type ContractStage } from './contract.stage.js';
import { FaultyProcessor } from './faulty.processor.js';

/** A card is checked once per key, and what is needed to store it can be had again. */
export function verificationsContract(stage: ContractStage): void {
  describe('verifications', () => {
    it('an approved card gives its credential, for 0.00', async () => {
      const key = newKey();
      const answer = await stage.processor.verify(stage.cardToStore(), callOf(key));
      expect(answer).toMatchObject(approved(0));
      expect(credentialOf(answer)).toEqual(stage.credentialOfCard);
      expect(await stage.world.moved(key)).toBe(0);
    });

    it('the card of a terminal gives its credential too, and says which terminal', async () => {
      const answer = await stage.processor.verify(stage.terminalCardToStore(), callOf(newKey()));
      expect(answer).toMatchObject({
        ...approved(0),
        facts: { terminalId: stage.world.terminalId },
        credential: stage.anyCredential,
      });
    });

    it('the facts say what card it is, and never its number', async () => {
      for (const request of [stage.cardToStore(), stage.terminalCardToStore()]) {
        const answer = await stage.processor.verify(request, callOf(newKey()));
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
        expect(JSON.stringify(rest)).not.toContain(stage.world.card.number);
      }
    });

    it('a declined card gives no credential', async () => {
      const key = newKey();
      const answer = await stage.processor.verify(stage.cardToStore(stage.world.decliningCard), callOf(key));
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(answer).not.toHaveProperty('credential');
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('an expired card is declined with 12', async () => {
      const expired = stage.cardToStore({ ...stage.world.card, expDate: '0120' });
      const answer = await stage.processor.verify(expired, callOf(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 12 } });
    });

    it('a repeated key checks nothing again, whatever card comes with it', async () => {
      const key = newKey();
      const first = await stage.processor.verify(stage.cardToStore(), callOf(key));
      await stage.restart();
      const again = stage.cardToStore(stage.world.decliningCard);
      expect(await stage.processor.verify(again, callOf(key))).toEqual(first);
    });

    it('20 verifications of a key at once, through two adapters, get one answer', async () => {
      const key = newKey();
      const adapters = [stage.processor, stage.world.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? stage.processor).verify(stage.cardToStore(), callOf(key)),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    });

    it('after an annulment the card is never checked', async () => {
      const key = newKey();
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'Annulled' });
      await stage.restart();
      const answer = await stage.processor.verify(stage.cardToStore(), callOf(key));
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(answer).not.toHaveProperty('credential');
    });

    it('nothing can be captured, voided or refunded of it', async () => {
      const key = newKey();
      await stage.processor.verify(stage.cardToStore(), callOf(key));
      for (const operation of ['capture', 'void', 'refund', 'reverse'] as const) {
        const answer = await stage.processor[operation](stage.about(key, 100), callOf(newKey()));
        expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 20 } });
      }
    });

    it('nothing is sent after sendBefore has passed', async () => {
      const key = newKey();
      const late = callOf(key, { sendBefore: Date.now() - 1 });
      expect(await stage.processor.verify(stage.cardToStore(), late)).toMatchObject({ kind: 'NotSent' });
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'NotFound' });
    });

    foundAgain(stage);
  });
}

/** A process may die between the answer and the vault: whoever asks then has to get the credential. */
function foundAgain(stage: ContractStage): void {
  it('an inquiry after a lost answer finds the credential, after a restart too', async () => {
    const key = newKey();
    const faulty = new FaultyProcessor(stage.processor);
    faulty.strike('verify', 'NoAnswerAfter');
    expect(await faulty.verify(stage.cardToStore(), callOf(key))).toEqual({ kind: 'NoAnswer' });
    const found = { kind: 'Found', answer: { kind: 'Approved', credential: stage.credentialOfCard } };
    expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject(found);
    await stage.restart();
    expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject(found);
  });

  it('an inquiry, an annulment and the last transaction give the answer as it was, credential included', async () => {
    const key = newKey();
    const answer = await stage.processor.verify(stage.terminalCardToStore(), callOf(key));
    expect(credentialOf(answer)).toBeDefined();
    const { terminalId } = stage.world;
    expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    expect(await stage.processor.lastTransaction(terminalId, stage.inquiry(key))).toEqual({
      kind: 'Found',
      answer,
    });
    expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
  });

  it('an answer that comes late is handed on with its credential', async () => {
    const faulty = new FaultyProcessor(stage.processor);
    faulty.strike('verify', 'LateAnswer');
    let handOn: (answer: Answer) => void = () => undefined;
    const handedOn = new Promise<Answer>((resolve) => (handOn = resolve));
    const call = callOf(newKey(), { onLateAnswer: handOn });
    expect(await faulty.verify(stage.cardToStore(), call)).toEqual({ kind: 'NoAnswer' });
    expect(credentialOf((await handedOn) as VerifyAnswer)).toEqual(stage.credentialOfCard);
  });
}

/** What was verified can be charged without the customer: no CVV, and no terminal. */
export function storedCardsContract(stage: ContractStage): void {
  describe('stored cards', () => {
    it('a card that was verified pays by its credential alone', async () => {
      for (const request of [stage.cardToStore(), stage.terminalCardToStore()]) {
        const credential = await stage.stored(request);
        for (const operation of ['sale', 'authorize'] as const) {
          const answer = await stage.processor[operation](stage.byToken(700, credential), callOf(newKey()));
          expect(answer).toMatchObject({ ...approved(700), facts: { entryMode: 'Stored' } });
          expect(answer).not.toHaveProperty('facts.cvvResult');
        }
      }
    });

    it('a payment has no credential, and its facts nothing of it', async () => {
      const credential = await stage.stored();
      const key = newKey();
      const answer = await stage.processor.sale(stage.byToken(700, credential), callOf(key));
      const found = await stage.processor.inquire(stage.inquiry(key));
      expect(JSON.stringify([answer, found])).not.toContain(secretOf(credential));
      expect(answer).not.toHaveProperty('credential');
    });

    stage.itWith('storedExpiry')('an expired one is declined with 12', async () => {
      const credential = { ...(await stage.stored()), expDate: '0120' };
      const answer = await stage.processor.sale(stage.byToken(700, credential), callOf(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 12 } });
    });
  });
}
