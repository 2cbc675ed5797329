import { defineConfig } from 'vite';

/**
 * The API serves the page with a policy that allows its own files only (docs/payment-form.md). So nothing is inlined into the
 * document or as a `data:` address.
 */
export default defineConfig({
  base: '/pay/',
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the packages ask to be shipped with them.
    license: { fileName: 'licenses.md' },
  },
});
