import type { ThreeDsServerUnderTest } from './contract/three-ds.contract.js';

/** The cards of the simulated 3-D Secure server (`docs/spec/sandbox.md#3-d-secure`), for its contract. */
export const SANDBOX_THREE_DS_CARDS: Pick<ThreeDsServerUnderTest, 'cards' | 'challengedCard'> = {
  cards: {
    Authenticated: '4242424242424242',
    Attempted: '4000000000003063',
    NotAuthenticated: '4000000000003089',
    Unavailable: '4000008400001280',
    NotEnrolled: '4000000000003055',
  },
  challengedCard: '4000000000003220',
};
