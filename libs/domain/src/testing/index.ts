/* For jest specs of deciders and codecs, here and in other projects: the entry `@tillstream/domain/testing`. */
export {
  codecContract,
  type Complete,
  type CompleteExamples,
  type OlderVersion,
} from '../shared/testing/codec-contract.testing.js';
export {
  givenBy,
  type ExpectedEvent,
  type HistoryFixture,
  type Then,
} from '../shared/testing/given-when-then.testing.js';
