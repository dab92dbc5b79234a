// Completes package-lock.json where it was written against a registry that lacks the packages of other platforms: npm then leaves
// these optional packages out, and `npm ci` refuses the lock ("Missing: … from lock file") everywhere. Run it after an
// `npm install` there; it adds an entry for each, with the platform that its name tells, and changes nothing else.
//
//     node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const { packages } = lock;
const added = [];

for (const [place, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (packages[`node_modules/${name}`] || packages[`${place}/node_modules/${name}`]) continue;
    const platform =
      /(?<os>android|darwin|freebsd|linux|win32)-(?<cpu>arm64|arm|ia32|x64)(?:-(?<libc>glibc|musl))?$/.exec(
        name,
      );
    if (platform === null || !/^\d/.test(range))
      throw new Error(`${name}@${range}: its platform can't be told`);
    const { os, cpu, libc } = platform.groups;
    packages[`node_modules/${name}`] = {
      version: range,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...(libc ? { libc: [libc] } : {}),
      optional: true,
      os: [os],
    };
    added.push(`${name}@${range}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? `${FILE} is complete` : `added to ${FILE}:\n  ${added.join('\n  ')}`);
