/** Builds the console: plain files for the server and for any static web server. `npm run build` calls it (scripts/builder/console.mjs). */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Every address is relative: the console works wherever its folder is served.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../build/console',
    emptyOutDir: true,
    target: 'es2022',
    // Its policy allows no data: addresses but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licences of what is bundled have to go along with it.
    license: { fileName: 'licences.md' },
    chunkSizeWarningLimit: 1000,
  },
  // `npm run console`: pages change as their sources do, requests go to a server at its usual address.
  server: {
    proxy: {
      '^/(?!@|src/|node_modules/|index\\.html|icon\\.svg|$|\\?)': {
        target: process.env.RESILIN_URL ?? 'http://127.0.0.1:9200',
        bypass: ({ url = '' }) => (/\.(tsx?|css|svg|json)(\?|$)/.test(url) ? url : undefined),
      },
    },
  },
});
