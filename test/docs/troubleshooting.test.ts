/** Messages on the page are those of the sources: one that is reworded is found. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The strings of the sources, without what quotes them needs. */
function sources(): string {
  return readdirSync(join(root, 'host'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'host', name), 'utf8'))
    .join('\n')
    .replaceAll("\\'", "'");
}

const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8');
/** What stands first in each row of the tables. */
const messages = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message]) => message!);

it('has messages of the sources only', () => {
  const text = sources();
  expect(messages.length).toBeGreaterThan(50);
  // Parts between what changes; those of a few characters are everywhere.
  const missing = messages.flatMap((message) =>
    message
      .split('…')
      .map((part) => part.replace(/^[\s\]:]+|[\s[]+$/g, ''))
      .filter((part) => part.length > 3 && !text.includes(part))
      .map((part) => `${part} (${message})`),
  );
  expect(missing).toEqual([]);
  for (const message of messages)
    expect(Math.max(...message.split('…').map(({ length }) => length))).toBeGreaterThan(7);
});

it('has each message once', () => {
  expect(new Set(messages).size).toBe(messages.length);
});
