export { bundle, bundleOf } from './bundle.js';
export { PROGRAMS } from './programs.js';
