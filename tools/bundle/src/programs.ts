import type { PageScript } from './page.script.js';

/** The compiled programs that are bundled: the apps, and the threads that they start. */
export const PROGRAMS: readonly string[] = [
  'apps/api/dist/main.js',
  'apps/sandbox/dist/main.js',
  'apps/settlement-projector/dist/main.js',
  'apps/webhook-dispatcher/dist/main.js',
  'libs/event-store-sqlite/dist/writer/writer.worker.js',
  'libs/platform/dist/projector.main.js',
  'libs/read-models-sqlite/dist/projector/bulk.worker.js',
  'libs/read-models-sqlite/dist/writer/writer.worker.js',
];

/** The scripts that the service gives to pages of merchants. */
export const PAGE_SCRIPTS: readonly PageScript[] = [
  {
    entry: 'libs/payment-form/dist/index.js',
    file: 'libs/payment-form/dist/bundled/payment-form.js',
    global: 'Tillstream',
  },
];
