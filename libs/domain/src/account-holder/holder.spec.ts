import { ImpossibleHistory } from '../shared/aggregate.js';
import {
  changeHolder,
  createHolder,
  eraseHolder,
  finishErasure,
  foldHolder,
  isHolderId,
  linkToken,
  streamOfHolder,
  type HolderEvent,
  type HolderState,
} from './holder.js';
import {
  HOLDER_ID,
  change,
  changed,
  created,
  creation,
  erased,
  erasure,
  finished,
  given,
  holderOf,
  link,
  linked,
  minutes,
  sealed,
} from './testing/histories.testing.js';

const toCreate =
  (more: Partial<typeof creation> = {}) =>
  (state: HolderState) =>
    createHolder(state, { ...creation, ...more });
const toChange =
  (more: Partial<typeof change> & { readonly externalIdHash?: string } = {}) =>
  (state: HolderState) =>
    changeHolder(state, { ...change, ...more });
const toLink =
  (tokenId = link.tokenId) =>
  (state: HolderState) =>
    linkToken(state, { ...link, tokenId });
const toErase =
  (commandId = erasure.commandId) =>
  (state: HolderState) =>
    eraseHolder(state, { ...erasure, commandId });
const toFinish = (state: HolderState) => finishErasure(state, { at: minutes(4) });

describe('an account holder', () => {
  it('is created once, even if the command is repeated', () => {
    given().when(toCreate()).then(created());
    given(created()).when(toCreate()).thenNothing();
    given(created())
      .when(toCreate({ commandId: 'another' }))
      .thenRejected('HolderExists');
    given(created(), erased)
      .when(toCreate({ commandId: 'another' }))
      .thenRejected('HolderExists');
  });

  it('takes a change once', () => {
    const afterChange = given(created('hash')).when(toChange());
    afterChange.then(changed());
    expect(afterChange.and.state).toMatchObject({
      personal: sealed('second'),
      externalIdHash: 'hash',
      createdAt: minutes(0),
      updatedAt: minutes(1),
    });
    afterChange.and.when(toChange()).thenNothing();
  });

  it('keeps its external id until a change names another', () => {
    expect(given(created('one'), changed('two'), changed()).state).toMatchObject({ externalIdHash: 'two' });
    expect(given(created(), changed('first')).state).toMatchObject({ externalIdHash: 'first' });
  });

  it('is not found if it was never created', () => {
    given().when(toChange()).thenRejected('HolderNotFound');
    given().when(toLink()).thenRejected('HolderNotFound');
    given().when(toErase()).thenRejected('HolderNotFound');
    given().when(toFinish).thenRejected('HolderNotFound');
  });
});

describe('a token of an account holder', () => {
  it('is linked once', () => {
    const first = given(created()).when(toLink());
    first.then(linked);
    first.and.when(toLink()).thenNothing();
    first.and.when(toLink('pmt_tkn_2')).then({ type: 'TokenLinked', data: { tokenId: 'pmt_tkn_2' } });
    expect(holderOf(first.and.state).tokenIds).toEqual(['pmt_tkn_1']);
  });

  it('is never linked to an erased holder, even if it was linked before', () => {
    given(created(), erased).when(toLink()).thenRejected('HolderNotFound');
    given(created(), linked, erased).when(toLink()).thenRejected('HolderNotFound');
    given(created(), erased, finished).when(toLink()).thenRejected('HolderNotFound');
  });
});

describe('an erasure', () => {
  it('takes effect at once, and keeps the ids of the tokens to remove', () => {
    const erasing = given(created('hash'), linked).when(toErase());
    erasing.then(erased);
    expect(erasing.and.state).toMatchObject({
      status: 'Erased',
      tokenIds: ['pmt_tkn_1'],
      externalIdHash: 'hash',
      updatedAt: minutes(3),
      erasureFinished: false,
    });
    erasing.and.when(toChange()).thenRejected('HolderNotFound');
  });

  it('repeated under its command id adds nothing; under another id it is rejected', () => {
    given(created(), erased).when(toErase()).thenNothing();
    given(created(), erased).when(toErase('another')).thenRejected('HolderNotFound');
  });

  it('is finished once, and not before it was started', () => {
    const done = given(created(), erased).when(toFinish);
    done.then(finished);
    expect(done.and.state).toMatchObject({ erasureFinished: true });
    done.and.when(toFinish).thenNothing();
    given(created()).when(toFinish).thenRejected('HolderNotFound');
  });
});

describe('a history of a holder that no decision could have made', () => {
  it.each<[string, HolderEvent[]]>([
    ['creates twice', [created(), created()]],
    ['links without a creation', [linked]],
    ['links after the erasure', [created(), erased, linked]],
    ['changes after the erasure', [created(), erased, changed()]],
    ['erases twice', [created(), erased, erased]],
    ['finishes an erasure that was not started', [created(), finished]],
    ['has an event of an unknown type', [{ type: 'Teleported', data: {} } as unknown as HolderEvent]],
  ])('is impossible: it %s', (_title, history) => {
    expect(() => foldHolder(history)).toThrow(ImpossibleHistory);
  });
});

describe('the id of a holder', () => {
  it('gives its stream', () => {
    expect(isHolderId(HOLDER_ID)).toBe(true);
    expect(streamOfHolder(HOLDER_ID)).toBe('holder-01JQ0000000000000000000000');
  });

  it.each([
    '',
    'acc_',
    'customer-7',
    'acc_01jq0000000000000000000000',
    'acc_81JQ0000000000000000000000',
    'acc_01JQ000000000000000000000',
    'acc_01JQ0000000000000000000000\n',
    'pmt_tkn_01JQ0000000000000000000T00',
  ])('is not "%s"', (text) => {
    expect(isHolderId(text)).toBe(false);
    expect(streamOfHolder(text)).toBeUndefined();
  });
});
