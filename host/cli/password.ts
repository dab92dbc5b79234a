/** Asks for a password: twice and unseen at a terminal, else the first line of the input. */
import type { ReadStream } from 'node:tty';
import { UsersFileError } from '../server/access/usersFile.js';

/** More is no password. */
const MAX_LENGTH = 4096;
const ENTER = ['\r', '\n', '\u0004'];
const INTERRUPT = '\u0003';
const ERASE = ['\b', '\u007f'];

export async function askPassword(
  name: string,
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Promise<string> {
  if (!input.isTTY) return firstLine(input);
  const first = await askUnseen(`password of ${name}: `, input, output);
  const second = await askUnseen('once more: ', input, output);
  if (first !== second) throw new UsersFileError('these are two passwords');
  return first;
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_LENGTH) break;
  }
  return text.split(/\r?\n/)[0]!;
}

function askUnseen(prompt: string, input: ReadStream, output: NodeJS.WritableStream): Promise<string> {
  output.write(prompt);
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.resume();
  return new Promise((done, failed) => {
    let text = '';
    const end = () => {
      input.off('data', read);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
    };
    const read = (chunk: string) => {
      for (const char of chunk) {
        if (char === INTERRUPT) {
          end();
          failed(new UsersFileError('nothing is changed'));
          return;
        }
        if (ENTER.includes(char)) {
          end();
          done(text);
          return;
        }
        text = ERASE.includes(char) ? [...text].slice(0, -1).join('') : `${text}${char}`.slice(0, MAX_LENGTH);
      }
    };
    input.on('data', read);
  });
}
