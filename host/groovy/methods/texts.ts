/** Methods of texts. */
import { compare } from '../arithmetic.js';
import { doubleFrom, wholeFrom } from '../parsedNumbers.js';
import { decimalOf, Int, type Value } from '../values.js';
import { type Methods, outside, place, text } from './operands.js';

function substring(self: string, from: number, to: number): string {
  if (from < 0 || to > self.length || from > to)
    throw outside(
      'StringIndexOutOfBoundsException',
      `String index out of range: ${from < 0 ? from : to - from}`,
    );
  return self.slice(from, to);
}

/** Characters that mean something else in a regular expression of Java. */
const MEANING = /[\\^$.|?*+()[\]{}]/;

/** `split` takes a regular expression: here one that is a text, its special characters behind backslashes. */
function split(self: string, given: string): Value {
  const plain = given.replace(/\\([^A-Za-z0-9])/g, '\u0000$1').replace(/\0./g, '');
  if (MEANING.test(plain))
    throw outside(
      'UnsupportedOperationException',
      `split by the regular expression ${given} can't be used in scripts here`,
    );
  const parts = given === '' ? [...self] : self.split(given.replace(/\\([^A-Za-z0-9])/g, '$1'));
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}

export const TEXTS: Methods<string> = {
  length: (self) => new Int(self.length),
  size: (self) => new Int(self.length),
  isEmpty: (self) => self === '',
  contains: (self, [part]) => self.includes(text(part)),
  startsWith: (self, [part]) => self.startsWith(text(part)),
  endsWith: (self, [part]) => self.endsWith(text(part)),
  indexOf: (self, [part, from]) => new Int(self.indexOf(text(part), from === undefined ? 0 : place(from))),
  lastIndexOf: (self, [part]) => new Int(self.lastIndexOf(text(part))),
  substring: (self, [from, to]) => substring(self, place(from), to === undefined ? self.length : place(to)),
  charAt: (self, [at]) => substring(self, place(at), place(at) + 1),
  toLowerCase: (self) => self.toLowerCase(),
  toUpperCase: (self) => self.toUpperCase(),
  trim: (self) => self.replace(/^[\0- ]+/, '').replace(/[\0- ]+$/, ''),
  capitalize: (self) => self.slice(0, 1).toUpperCase() + self.slice(1),
  reverse: (self) => [...self].reverse().join(''),
  replace: (self, [from, to], spend) => {
    const [gone, put] = [text(from), text(to)];
    spend((self.split(gone).length * put.length) / 16);
    return self.replaceAll(gone, () => put);
  },
  concat: (self, [other]) => self + text(other),
  split: (self, [by]) => split(self, text(by)),
  tokenize: (self, [by]) => {
    const marks = by === undefined ? ' \t\n\r\f' : text(by);
    const words: string[] = [];
    let word = '';
    for (const char of self) {
      if (!marks.includes(char)) word += char;
      else if (word !== '') {
        words.push(word);
        word = '';
      }
    }
    return word === '' ? words : [...words, word];
  },
  equalsIgnoreCase: (self, [other]) =>
    typeof other === 'string' && self.toLowerCase() === other.toLowerCase(),
  compareTo: (self, [other]) => new Int(compare(self, text(other))),
  padLeft: (self, [width, fill]) => self.padStart(padded(width), fill === undefined ? ' ' : text(fill)),
  padRight: (self, [width, fill]) => self.padEnd(padded(width), fill === undefined ? ' ' : text(fill)),
  isNumber: (self) => /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(self.slice(0, 400)),
  isInteger: (self) => /^\s*[-+]?\d{1,10}\s*$/.test(self.slice(0, 400)),
  toInteger: (self) => wholeFrom(self, 32),
  toLong: (self) => wholeFrom(self, 64),
  toDouble: doubleFrom,
  toFloat: doubleFrom,
  toBigDecimal: (self) => decimalOf(self.trim()),
};

const MOST_PADDED = 10_000;

function padded(width: Value | undefined): number {
  const wanted = place(width);
  if (wanted > MOST_PADDED) throw outside('OutOfMemoryError', `a text of ${wanted} characters`);
  return wanted;
}
