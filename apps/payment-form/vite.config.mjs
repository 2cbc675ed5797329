import { defineConfig } from 'vite';

/**
 * The API serves the page with a policy that allows its own files only (docs/payment-form.md). So nothing is inlined into the
 * document or as a `data:` address.
 */
export default defineConfig({
  base: '/pay/',
  cacheDir: '../../node_modules/.vite/payment-form',
  // `npx vite apps/payment-form` serves the page from its sources; the calls of the form go to the API.
  server: {
    proxy: {
      '^/pay/ses_[^/]+/(session|submit|challenge|cancel)$': process.env.API_ORIGIN ?? 'http://localhost:3000',
    },
  },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the packages ask to be shipped with them.
    license: { fileName: 'licenses.md' },
  },
});
