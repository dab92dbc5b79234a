/** `node test/oracle/classPath.mjs java|search`: prints where the compiled program and its jars are; see README.md. */
import { classPath } from './oracle.mjs';

process.stdout.write(classPath(process.argv[2]));
