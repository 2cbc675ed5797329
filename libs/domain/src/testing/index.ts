/* For jest specs of deciders and codecs, ours and yours: the entry `@tillstream/domain/testing`. */
export {
  codecContract,
  type Complete,
  type CompleteExamples,
  type OlderVersion,
} from '../shared/testing/codec-contract.testing.js';
export { givenBy, type Expected, type Given, type Then } from '../token/testing/given.testing.js';
