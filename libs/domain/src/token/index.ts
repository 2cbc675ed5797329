export * from './token.events.js';
export * from './token.state.js';
export type * from './token.commands.js';
export * from './token.decide.js';
export * from './card-verification.decide.js';
export * from './token.evolve.js';
