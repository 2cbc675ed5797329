export { bundle, bundleOf } from './bundle.js';
export { bundlePageScript, type PageScript } from './page.script.js';
export { PAGE_SCRIPTS, PROGRAMS } from './programs.js';
