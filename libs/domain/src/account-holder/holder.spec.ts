import { ImpossibleHistory } from '../shared/impossible-history.js';
import { changeHolder, createHolder, eraseHolder, finishErasure, linkToken } from './holder.decide.js';
import type { HolderEvent } from './holder.events.js';
import { foldHolder, type HolderState } from './holder.state.js';
import { isHolderId, streamOfHolder } from './holder.stream.js';
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
  it('is created once, however often that is told', () => {
    given().when(toCreate()).then(created());
    given(created()).when(toCreate()).thenNothing();
    given(created())
      .when(toCreate({ commandId: 'another' }))
      .thenRefused('HolderExists');
    given(created(), erased)
      .when(toCreate({ commandId: 'another' }))
      .thenRefused('HolderExists');
  });

  it('changed is as the change says, once', () => {
    const anew = given(created('hash')).when(toChange());
    anew.then(changed());
    expect(anew.and.state).toMatchObject({
      personal: sealed('second'),
      externalIdHash: 'hash',
      createdAt: minutes(0),
      updatedAt: minutes(1),
    });
    anew.and.when(toChange()).thenNothing();
  });

  it('keeps its external id until a change names another', () => {
    expect(given(created('one'), changed('two'), changed()).state).toMatchObject({ externalIdHash: 'two' });
    expect(given(created(), changed('first')).state).toMatchObject({ externalIdHash: 'first' });
  });

  it('who was never created is not found', () => {
    given().when(toChange()).thenRefused('HolderNotFound');
    given().when(toLink()).thenRefused('HolderNotFound');
    given().when(toErase()).thenRefused('HolderNotFound');
    given().when(toFinish).thenRefused('HolderNotFound');
  });
});

describe('a token of an account holder', () => {
  it('is linked once, before it names the holder itself', () => {
    const first = given(created()).when(toLink());
    first.then(linked);
    first.and.when(toLink()).thenNothing();
    first.and.when(toLink('pmt_tkn_2')).then({ type: 'TokenLinked', data: { tokenId: 'pmt_tkn_2' } });
    expect(holderOf(first.and.state).tokenIds).toEqual(['pmt_tkn_1']);
  });

  it('is never linked to one that was erased, even if it was before', () => {
    given(created(), erased).when(toLink()).thenRefused('HolderNotFound');
    given(created(), linked, erased).when(toLink()).thenRefused('HolderNotFound');
    given(created(), erased, finished).when(toLink()).thenRefused('HolderNotFound');
  });
});

describe('an erasure', () => {
  it('forgets the person at once, and keeps the tokens that have to follow', () => {
    const gone = given(created('hash'), linked).when(toErase());
    gone.then(erased);
    expect(gone.and.state).toMatchObject({
      status: 'Erased',
      tokenIds: ['pmt_tkn_1'],
      externalIdHash: 'hash',
      updatedAt: minutes(3),
      erasureFinished: false,
    });
    gone.and.when(toChange()).thenRefused('HolderNotFound');
  });

  it('told twice erases once; asked for twice finds nobody', () => {
    given(created(), erased).when(toErase()).thenNothing();
    given(created(), erased).when(toErase('another')).thenRefused('HolderNotFound');
  });

  it('is finished once, and not before it was begun', () => {
    const done = given(created(), erased).when(toFinish);
    done.then(finished);
    expect(done.and.state).toMatchObject({ erasureFinished: true });
    done.and.when(toFinish).thenNothing();
    given(created()).when(toFinish).thenRefused('HolderNotFound');
  });
});

describe('a history of a holder that no decision could have made', () => {
  it.each<[string, HolderEvent[]]>([
    ['creates twice', [created(), created()]],
    ['goes on without a creation', [linked]],
    ['links after the erasure', [created(), erased, linked]],
    ['changes after the erasure', [created(), erased, changed()]],
    ['erases twice', [created(), erased, erased]],
    ['finishes what was not begun', [created(), finished]],
    ['has an event without a meaning', [{ type: 'Teleported', data: {} } as unknown as HolderEvent]],
  ])('is refused: it %s', (_what, history) => {
    expect(() => foldHolder(history)).toThrow(ImpossibleHistory);
  });
});

describe('the id of a holder', () => {
  it('tells its stream', () => {
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
