/**
 * npm runs this where the package is installed from its repository, in a clone of it, and then packs what is there: the package is built.
 * It also runs it after `npm ci` here, where nobody has asked for the package.
 */
import path from 'node:path';
import { buildPackage } from './builder/package.mjs';

const here = path.resolve(import.meta.dirname, '..');
const from = path.relative(here, process.env.INIT_CWD ?? here);
if (from.startsWith('..') || path.isAbsolute(from)) await buildPackage();
