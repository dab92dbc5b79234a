/** Commands of curl, as requests. */
import { indented } from '../../dsl/indented';
import { takesLines, writeRequest } from './notation';

/** Whether a text may be one. */
export function isCurl(text: string): boolean {
  return /^\s*(\$\s*)?curl\s/.test(text);
}

/** The request of a command, as text; undefined where it names no address. Options that say nothing of the request are left out. */
export function fromCurl(text: string): string | undefined {
  const words = shellWords(text.replace(/^\s*\$\s*/, ''));
  let method: string | undefined;
  let address: string | undefined;
  let isHead = false;
  const bodies: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const joined = /^-X(.+)$/.exec(word);
    if (joined !== null) method = joined[1];
    else if (word === '-X' || word === '--request') method = words[++at];
    else if (/^-X|^--request=/.test(word)) method = word.replace(/^--request=/, '');
    else if (/^(-d|--data(-binary|-raw|-ascii)?)$/.test(word)) bodies.push(words[++at] ?? '');
    else if (/^--data(-binary|-raw|-ascii)?=/.test(word)) bodies.push(word.slice(word.indexOf('=') + 1));
    else if (/^-d./.test(word)) bodies.push(word.slice(2));
    else if (word === '-I' || word === '--head' || word === '-XHEAD') isHead = true;
    else if (/^(-H|--header|-u|--user|-o|--output|-A|-e|-m|--max-time|--cacert|-E|--cert)$/.test(word)) at++;
    else if (/^-[sSkgivLfN]*I[sSkgivLfN]*$/.test(word)) isHead = true;
    else if (word.startsWith('-')) continue;
    else address ??= word;
  }
  if (address === undefined) return undefined;
  const path = address.replace(/^(https?:\/\/)?[^/?]*/i, '');
  const body = bodies.join('&');
  const used = method ?? (isHead ? 'HEAD' : body === '' ? 'GET' : 'POST');
  const whole = path.startsWith('/') ? path : `/${path}`;
  return writeRequest(used.toUpperCase(), whole, takesLines(whole) ? body : indented(body));
}

/** The words of a command, as a shell reads them. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    if (c === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end === -1 ? undefined : end);
      at = end === -1 ? text.length : end;
    } else if (c === '"') {
      word ??= '';
      for (at++; at < text.length && text[at] !== '"'; at++) {
        if (text[at] === '\\' && '"\\$`\n'.includes(text[at + 1] ?? '')) at++;
        word += text[at];
      }
    } else if (c === '\\') {
      at++;
      if (text[at] !== '\n' && text[at] !== '\r') word = (word ?? '') + (text[at] ?? '');
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      // Another command begins where the line ends.
      if (c === '\n' && words.length > 0) break;
    } else word = (word ?? '') + c;
  }
  if (word !== undefined) words.push(word);
  return words;
}
