import { FIRST_SERVICE_OPERATION, generatedReferenceId } from '../shared/ids.js';
import { ImpossibleHistory } from '../shared/aggregate.js';
import type { TokenEvent } from './token.events.js';
import { foldToken } from './token.evolve.js';
import { rejectUnusable } from './token.decide.js';
import { findTokenOperation, sealedPersonalData } from './token.state.js';
import { keysAreDestroyed, toRemove, toRequest, toUpdate } from './testing/commands.testing.js';
import {
  FORM,
  TERMINAL,
  TOKEN_ID,
  an,
  tokenRequested,
  bankAccount,
  cancelled,
  declined,
  given,
  interrupted,
  keysDestroyed,
  minutes,
  notExecuted,
  notSent,
  removed,
  requested,
  sealed,
  stored,
  tokenOf,
  trx,
  updated,
} from './testing/histories.testing.js';

const neverMade: [what: string, ending: TokenEvent][] = [
  ['declined', declined],
  ['never sent', notSent],
  ['not executed', notExecuted],
  ['cancelled', cancelled],
];

describe('storing a card', () => {
  it('requests the verification at once, under the id that the token gets', () => {
    given()
      .when(
        toRequest({ referenceId: 'mine', description: 'Visa', accountHolderId: 'acc_1', terminalId: 't' }),
      )
      .then(
        an('TokenRequested', {
          operationId: trx(0),
          tokenId: TOKEN_ID,
          referenceId: 'mine',
          description: 'Visa',
          accountHolderId: 'acc_1',
          terminalId: 't',
          paymentMethod: TERMINAL,
        }),
        an('VerificationRequested', {
          operationId: trx(0),
          commandId: 'command',
          try: 1,
          processor: 'sandbox',
        }),
      );
  });

  it('by a hosted form waits for its customer', () => {
    const waiting = given().when(toRequest({ form: FORM, channel: 'CardNotPresent' }));
    waiting.then(an('TokenRequested', { form: FORM }));
    expect(waiting.and.state).toMatchObject({
      status: 'Pending',
      operations: [{ progress: { status: 'AwaitingCustomer' } }],
    });
  });

  it('without a reference id gets one that is derived from its operation', () => {
    given()
      .when(toRequest())
      .then(an('TokenRequested', { referenceId: generatedReferenceId(trx(0)) }), an('VerificationRequested'));
  });

  it('never has a network transaction id, since it is the first transaction with the card', () => {
    const { events } = given().when(
      toRequest({
        attemptPlan: {
          sendBefore: minutes(1),
          answerBefore: minutes(2),
          processor: 'p',
          processorAccount: 'a',
          networkTransactionId: 'n',
        },
      }),
    );
    expect(events[1]?.data).not.toHaveProperty('networkTransactionId');
  });

  it('adds no event when it is repeated, and a stream is opened once', () => {
    given(requested())
      .when(toRequest({ commandId: 'command-0' }))
      .thenNothing();
    given(requested()).when(toRequest()).thenRejected('AlreadyRequested');
    given(stored(), removed(1)).when(toRequest()).thenRejected('AlreadyRequested');
  });
});

describe('a token can be used', () => {
  it('from its creation to its removal', () => {
    expect(rejectUnusable(given().state)).toMatchObject({ code: 'TokenNotFound' });
    expect(rejectUnusable(given(requested()).state)).toMatchObject({ code: 'TokenNotFinished' });
    expect(rejectUnusable(given(requested(), interrupted).state)).toMatchObject({ code: 'TokenNotFinished' });
    expect(rejectUnusable(given(stored()).state)).toBeUndefined();
    expect(rejectUnusable(given(stored(), updated(1)).state)).toBeUndefined();
    expect(rejectUnusable(given(stored(), removed(1)).state)).toMatchObject({ code: 'TokenNotFound' });
  });

  it.each(neverMade)('never after a verification that was %s', (_title, ending) => {
    expect(rejectUnusable(given(requested(), ending).state)).toMatchObject({ code: 'TokenNotFound' });
  });
});

describe('an update', () => {
  it('changes only the named fields', () => {
    const first = given(stored({ accountHolderId: 'acc_1', description: 'old' })).when(
      toUpdate({ description: 'new' }),
    );
    first.then(an('TokenUpdated', { operationId: trx(1), referenceId: generatedReferenceId(trx(1)) }));
    expect(first.events[0]?.data).not.toHaveProperty('changesExpiry');
    expect(first.and.state).toMatchObject({
      status: 'Active',
      description: 'new',
      accountHolderId: 'acc_1',
      paymentMethod: { description: 'new', maskedCardNumber: '************4242' },
    });
    expect(sealedPersonalData(tokenOf(first.and.state))).toEqual(sealed('first'));
    const second = first.and.when(
      toUpdate({
        commandId: 'second',
        referenceId: 'mine',
        personal: sealed('second'),
        changesExpiry: true,
        accountHolderId: 'acc_2',
      }),
    );
    second.then(an('TokenUpdated', { operationId: trx(2), referenceId: 'mine' }));
    expect(second.and.state).toMatchObject({ description: 'new', accountHolderId: 'acc_2' });
    expect(sealedPersonalData(tokenOf(second.and.state))).toEqual(sealed('second'));
  });

  it('shows on its own operation and on no earlier one', () => {
    const { state } = given(
      stored({ accountHolderId: 'acc_1' }, { description: 'old' }),
      updated(1, { description: 'new', accountHolderId: 'acc_2', personal: sealed('second') }),
    );
    expect(findTokenOperation(state, trx(0))).toMatchObject({
      accountHolderId: 'acc_1',
      paymentMethod: { description: 'old', personal: sealed('first') },
    });
    expect(findTokenOperation(state, trx(1))).toMatchObject({
      kind: 'TokenUpdate',
      accountHolderId: 'acc_2',
      paymentMethod: { description: 'new', personal: sealed('second') },
      responses: [],
    });
  });

  it('adds no event when it is repeated', () => {
    given(stored(), updated(1))
      .when(toUpdate({ commandId: 'command-1' }))
      .thenNothing();
    given(stored(), updated(1), removed(2))
      .when(toUpdate({ commandId: 'command-1' }))
      .thenNothing();
  });

  it('needs an active token', () => {
    given().when(toUpdate()).thenRejected('TokenNotFound');
    given(requested()).when(toUpdate()).thenRejected('TokenNotFinished');
    given(stored(), removed(1)).when(toUpdate()).thenRejected('TokenNotFound');
  });

  it.each(['Ach', 'Eft', 'CardNotPresent'] as const)(
    'of a bank account (%s) can not have an expiry',
    (channel) => {
      given(bankAccount(channel))
        .when(toUpdate({ changesExpiry: true }))
        .thenRejected('ExpiryOfBankAccount');
      given(bankAccount(channel))
        .when(toUpdate({ description: 'till' }))
        .then(an('TokenUpdated'));
    },
  );

  it('of a removed bank account is rejected as not found, even with an expiry', () => {
    given(bankAccount('Ach'), removed(1))
      .when(toUpdate({ changesExpiry: true }))
      .thenRejected('TokenNotFound');
  });
});

describe('a removal', () => {
  it('is final', () => {
    const removal = given(stored()).when(toRemove({ referenceId: 'mine' }));
    removal.then(an('TokenRemoved', { operationId: trx(1), referenceId: 'mine' }));
    expect(removal.and.state).toMatchObject({
      status: 'Removed',
      removedAt: minutes(9),
      updatedAt: minutes(9),
    });
    removal.and.when(toRemove({ commandId: 'again' })).thenRejected('TokenNotFound');
  });

  it('adds no event when it is repeated', () => {
    given(stored(), removed(1))
      .when(toRemove({ commandId: 'command-1' }))
      .thenNothing();
  });

  it('is rejected while the verification has no outcome, and after it failed', () => {
    given(requested()).when(toRemove()).thenRejected('TokenNotFinished');
    given(requested(), interrupted)
      .when(toRemove({ erasedHolderId: 'acc_1' }))
      .thenRejected('TokenNotFinished');
    given(requested(), declined).when(toRemove()).thenRejected('TokenNotFound');
    given().when(toRemove()).thenRejected('TokenNotFound');
  });

  it('by an erasure names the holder, and removes only tokens that the holder still has', () => {
    const erasure = toRemove({ erasedHolderId: 'acc_1' });
    given(stored({ accountHolderId: 'acc_1' }))
      .when(erasure)
      .then(an('TokenRemoved', { erasedHolderId: 'acc_1' }));
    given(stored({ accountHolderId: 'acc_1' }), updated(1, { accountHolderId: 'acc_2' }))
      .when(erasure)
      .thenRejected('TokenNotFound');
    given(stored()).when(erasure).thenRejected('TokenNotFound');
  });
});

describe('the destruction of keys', () => {
  it('is recorded once for a removed token', () => {
    const destroyed = given(stored(), removed(1)).when(keysAreDestroyed());
    destroyed.then(an('TokenKeysDestroyed', { operationId: trx(1) }));
    expect(destroyed.and.state).toMatchObject({ keysDestroyed: true, updatedAt: minutes(2) });
    destroyed.and.when(keysAreDestroyed()).thenNothing();
  });

  it.each(neverMade)('is recorded for a token whose verification was %s', (_title, ending) => {
    given(requested(), ending)
      .when(keysAreDestroyed())
      .then(an('TokenKeysDestroyed', { operationId: trx(0) }));
  });

  it('is rejected while the token may be used, now or later', () => {
    given(stored()).when(keysAreDestroyed()).thenRejected('StepOutOfOrder');
    given(requested()).when(keysAreDestroyed()).thenRejected('StepOutOfOrder');
    given().when(keysAreDestroyed()).thenRejected('StepOutOfOrder');
  });
});

describe('the operation numbers of a stream', () => {
  const changes = (count: number) => Array.from({ length: count }, (_, index) => updated(index + 1));

  it('last for 960 operations of clients, and for the removal after them', () => {
    const almost = given(stored(), changes(FIRST_SERVICE_OPERATION - 2));
    const last = almost.when(toUpdate());
    last.then(an('TokenUpdated', { operationId: trx(FIRST_SERVICE_OPERATION - 1) }));
    last.and.when(toUpdate({ commandId: 'next' })).thenRejected('TooManyOperations');
    const removal = last.and.when(toRemove({ commandId: 'next' }));
    removal.then(an('TokenRemoved', { operationId: trx(FIRST_SERVICE_OPERATION) }));
    removal.and.when(toRemove({ commandId: 'again' })).thenRejected('TokenNotFound');
  });
});

describe('a history that no decision could have made', () => {
  const twice = stored().slice(-1);
  it.each<[string, TokenEvent[]]>([
    ['requests twice', [tokenRequested(), tokenRequested()]],
    ['goes on without a request', [updated(1)]],
    ['approves what was approved', [...stored(), ...twice]],
    ['approves what was declined', [...requested(), declined, ...twice]],
    ['approves what was removed', [...stored(), removed(1), ...twice]],
    ['declines what was approved', [...stored(), declined]],
    ['checks what was approved', [...stored(), ...requested().slice(1)]],
    ['updates what was removed', [...stored(), removed(1), updated(2)]],
    ['updates what is not finished', [...requested(), updated(1)]],
    ['removes twice', [...stored(), removed(1), removed(2)]],
    ['removes what is not finished', [...requested(), removed(1)]],
    ['names an operation twice', [...stored(), updated(1), updated(1)]],
    ['destroys the keys of a token in use', [...stored(), keysDestroyed(0)]],
    ['has an event without a meaning', [{ type: 'Teleported', data: {} } as unknown as TokenEvent]],
  ])('is impossible: it %s', (_title, history) => {
    expect(() => foldToken(history)).toThrow(ImpossibleHistory);
  });
});
