/** Builds the playground: the console over an engine in the tab. `npm run build:package` calls it (scripts/builder/playground.mjs). */
import { defineConfig } from 'vite';
import settings from '../vite.config.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: '../public',
  ...(settings.plugins === undefined ? {} : { plugins: settings.plugins }),
  ...(settings.oxc === undefined ? {} : { oxc: settings.oxc }),
  build: { ...settings.build, outDir: '../../build/playground' },
});
