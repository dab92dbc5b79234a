// Writes assembly/analysis/standardTables.ts from scripts/data: the character records and the automaton of the standard
// tokenizer. Run `node scripts/generate-unicode.mjs`; the same data always give the same file. With --check it only says
// whether the file is up to date.
//
// The grammar below is the one of Lucene 4.10's StandardTokenizer (UAX #29, Unicode 6.3). It is compiled to the smallest
// deterministic automaton: regular expressions, then an automaton with empty moves, then subsets, then merged states.

import { readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
const readLines = (name) =>
  readFileSync(new URL(`data/${name}`, here), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

// ---- Character classes -------------------------------------------------------------------------------------------

const classNames = ['Other'];
const classOf = new Uint8Array(0x110000);
for (const line of readLines('word-break-6.3.txt')) {
  const words = line.split(' ').filter((word) => word !== '');
  if (!line.startsWith(' ')) classNames.push(words.shift());
  for (const range of words) {
    const [first, last = first] = range.split('-').map((digits) => Number.parseInt(digits, 16));
    classOf.fill(classNames.length - 1, first, last + 1);
  }
}
const classNumber = (name) => {
  const number = classNames.indexOf(name);
  if (number < 0) throw new Error(`no class ${name}`);
  return number;
};

// ---- Grammar -----------------------------------------------------------------------------------------------------

// An expression is a function (start, end) that adds its moves between two states of `nfa`.
const nfa = [];
const newState = () => nfa.push({ empty: [], moves: [] }) - 1;
const oneOf = (numbers) => (start, end) => nfa[start].moves.push({ classes: new Set(numbers), end });
const sequence =
  (...parts) =>
  (start, end) => {
    parts.forEach((part, i) => {
      const next = i === parts.length - 1 ? end : newState();
      part(start, next);
      start = next;
    });
  };
const either =
  (...parts) =>
  (start, end) => {
    for (const part of parts) part(start, end);
  };
const many = (part) => (start, end) => {
  const loop = newState();
  nfa[start].empty.push(loop);
  part(loop, loop);
  nfa[loop].empty.push(end);
};
const some = (part) => sequence(part, many(part));

const any = oneOf(classNames.map((_, number) => number));
const extend = many(oneOf([classNumber('Extend'), classNumber('Complex_Context_Extend')]));
/** A character of one of the classes, and the Extend and Format characters after it (WB4). */
const extended = (...names) => sequence(oneOf(names.map(classNumber)), extend);

const aLetter = extended('ALetter', 'Hangul', 'Hebrew_Letter');
const hebrew = extended('Hebrew_Letter');
const numeric = extended('Numeric');
const katakana = extended('Katakana');
const connector = extended('ExtendNumLet');
const midLetter = extended('MidLetter', 'MidNumLet', 'Single_Quote');
const midNumeric = extended('MidNum', 'MidNumLet', 'Single_Quote');
const singleQuote = extended('Single_Quote');
const doubleQuote = extended('Double_Quote');
const regional = extended('Regional_Indicator');

const number = sequence(numeric, many(sequence(either(many(connector), midNumeric), numeric)));
const word = either(
  sequence(katakana, many(sequence(many(connector), katakana))),
  some(
    either(
      sequence(hebrew, either(singleQuote, sequence(doubleQuote, hebrew))),
      number,
      sequence(aLetter, many(sequence(either(many(connector), midLetter), aLetter))),
    ),
  ),
);

/** What a text is cut into. The longest match wins; of equally long ones the rule named first. */
const rules = [
  { type: 'NUM', expression: sequence(many(connector), number, many(connector)) },
  { type: 'HANGUL', expression: some(extended('Hangul')) },
  { type: 'KATAKANA', expression: some(katakana) },
  {
    type: 'ALPHANUM',
    expression: sequence(many(connector), word, many(sequence(some(connector), word)), many(connector)),
  },
  { type: 'SOUTHEAST_ASIAN', expression: some(extended('Complex_Context', 'Complex_Context_Extend')) },
  { type: 'IDEOGRAPHIC', expression: extended('Han') },
  { type: 'HIRAGANA', expression: extended('Hiragana') },
  { type: 'SKIP', expression: either(sequence(regional, some(regional)), any) },
];
/** The numbers of the types in `analyze`'s results. */
const typeNumbers = {
  ALPHANUM: 0,
  NUM: 1,
  SOUTHEAST_ASIAN: 2,
  IDEOGRAPHIC: 3,
  HIRAGANA: 4,
  KATAKANA: 5,
  HANGUL: 6,
};

// ---- Automaton ---------------------------------------------------------------------------------------------------

const initial = newState();
const accepts = new Map();
for (const [priority, rule] of rules.entries()) {
  const end = newState();
  accepts.set(end, priority);
  rule.expression(initial, end);
}

function closure(states) {
  const all = new Set(states);
  for (const state of all) for (const next of nfa[state].empty) all.add(next);
  return [...all].sort((a, b) => a - b);
}

/** Subset construction: rows of next states (-1 dead) and the rule each state accepts (-1 none). */
function determinise() {
  const keys = new Map();
  const subsets = [];
  const numberOf = (states) => {
    const key = states.join();
    if (!keys.has(key)) keys.set(key, subsets.push(states) - 1);
    return keys.get(key);
  };
  numberOf(closure([initial]));
  const rows = [];
  for (let i = 0; i < subsets.length; i++) {
    rows.push(
      classNames.map((_, number) => {
        const next = subsets[i].flatMap((s) =>
          nfa[s].moves.filter((m) => m.classes.has(number)).map((m) => m.end),
        );
        return next.length === 0 ? -1 : numberOf(closure(next));
      }),
    );
  }
  const rule = subsets.map((states) => {
    const found = states.filter((s) => accepts.has(s)).map((s) => accepts.get(s));
    return found.length === 0 ? -1 : Math.min(...found);
  });
  return { rows, rule };
}

/** Merges states that no continuation tells apart. */
function minimise({ rows, rule }) {
  const groupsOf = (keys) => {
    const numbers = new Map();
    return keys.map((key) => {
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key);
    });
  };
  let group = groupsOf(rule.map(String));
  for (;;) {
    const refined = groupsOf(
      rows.map((row, i) => [group[i], ...row.map((n) => (n < 0 ? -1 : group[n]))].join()),
    );
    const done = Math.max(...refined) === Math.max(...group);
    group = refined;
    if (done) break;
  }
  const count = Math.max(...group) + 1;
  const first = Array.from({ length: count }, (_, g) => group.indexOf(g));
  return {
    start: group[0],
    rows: first.map((i) => rows[i].map((n) => (n < 0 ? -1 : group[n]))),
    rule: first.map((i) => rule[i]),
  };
}

// Numbered so that comparisons sort the states: dead, initial and others that accept nothing, then those that skip
// (the one without a way on, the one after a connector, others), then those that accept tokens.
const smallest = minimise(determinise());
const skipRule = rules.length - 1;
const rank = (s) => {
  if (s === smallest.start) return 0;
  if (smallest.rule[s] < 0) return 1;
  if (smallest.rule[s] !== skipRule) return 5;
  if (smallest.rows[s].every((n) => n < 0)) return 2;
  return s === smallest.rows[smallest.start][classNumber('ExtendNumLet')] ? 3 : 4;
};
const order = smallest.rows.map((_, s) => s).sort((a, b) => rank(a) - rank(b) || a - b);
const renumbered = (s) => (s < 0 ? 0 : order.indexOf(s) + 1);
const rows = [classNames.map(() => 0), ...order.map((s) => smallest.rows[s].map(renumbered))];
const ruleOf = [-1, ...order.map((s) => smallest.rule[s])];
const STRIDE = 32;
if (classNames.length > STRIDE || rows.length > 255) throw new Error('the automaton does not fit its table');
const transitions = rows.flatMap((row) => [...row, ...Array(STRIDE - row.length).fill(0)]);
const types = ruleOf.map((r) => typeNumbers[rules[r]?.type] ?? 255);
const skipLeaf = order.findIndex((s) => rank(s) === 2) + 1;
const firstToken = order.findIndex((s) => rank(s) === 5) + 1;
if (skipLeaf === 0 || rank(order[skipLeaf]) !== 3) throw new Error('expected one state that only skips');

/** The state after a text of the letters a (ALetter), 1 (Numeric) and _ (ExtendNumLet). */
const after = (text) =>
  [...text].reduce((s, c) => rows[s][classNumber({ a: 'ALetter', 1: 'Numeric', _: 'ExtendNumLet' }[c])], 1);
const letters = after('a');
const digits = after('1');
const lettersDigits = after('a1');
const connectors = after('__');
for (const [text, expected] of Object.entries({
  aa: letters,
  '1a': letters,
  a1a: letters,
  11: digits,
  a11: lettersDigits,
  '1a1': lettersDigits,
  ___: connectors,
}))
  if (after(text) !== expected) throw new Error(`state after ${text}`);

// ---- Records: class and lower case of a code point -----------------------------------------------------------------

const lower = new Int32Array(0x110000);
for (const line of readLines('lower-case.txt')) {
  const [, first, last = first, step = '1', distance] = line.match(
    /^(\w+)(?:-(\w+)(?:\/(\d+))?)? ([+-]\d+)$/,
  );
  for (let c = Number.parseInt(first, 16); c <= Number.parseInt(last, 16); c += Number(step))
    lower[c] = Number(distance);
}

const recordClass = [];
const recordDistance = [];
const recordNumbers = new Map();
function recordOf(c) {
  const key = `${classOf[c]} ${lower[c]}`;
  if (!recordNumbers.has(key)) {
    recordNumbers.set(key, recordNumbers.size);
    recordClass.push(classOf[c]);
    recordDistance.push(lower[c]);
  }
  return recordNumbers.get(key);
}

// Planes 0 to 2, then the first of plane 14; everything else is Other.
const PLANES = 0x30000;
const TAGS = 0xe0000;
const TAGS_LENGTH = 0x200;
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;
for (let c = 0; c < 0x110000; c++) {
  const covered = c < PLANES || (c >= TAGS && c < TAGS + TAGS_LENGTH);
  if (!covered && classOf[c] !== 0) throw new Error(`class outside of the table: ${c.toString(16)}`);
}
const blockNumbers = new Map();
const blockIndex = [];
const blocks = [];
for (let at = 0; at < PLANES + TAGS_LENGTH; at += BLOCK) {
  const first = at < PLANES ? at : at - PLANES + TAGS;
  const block = Array.from({ length: BLOCK }, (_, i) => recordOf(first + i));
  const key = block.join();
  if (!blockNumbers.has(key)) {
    blockNumbers.set(key, blockNumbers.size);
    blocks.push(...block);
  }
  blockIndex.push(blockNumbers.get(key));
}
if (blockNumbers.size > 256 || recordNumbers.size > 256) throw new Error('the records do not fit bytes');
if (blockIndex[0] !== 0 || blockIndex[1] !== 1) throw new Error('ASCII is not in front');

// ---- Output --------------------------------------------------------------------------------------------------------

function array(values, perLine) {
  let text = '';
  for (let i = 0; i < values.length; i += perLine) text += `  ${values.slice(i, i + perLine).join(', ')},\n`;
  return `[\n${text}]`;
}

const output = `/**
 * The standard tokenizer's tables. Written by scripts/generate-unicode.mjs from scripts/data; long because it is data.
 *
 * Code points map to records: with b = RECORD_INDEX[c >> ${BLOCK_BITS}], the record is RECORDS[b << ${BLOCK_BITS} | c & ${BLOCK - 1}]. This holds for
 * c < PLANES; TAGS_LENGTH code points from TAGS on follow as PLANES + c - TAGS; all others have record 0. A record
 * gives the word-break class and the distance to the lower-case letter. The automaton's next state is
 * TRANSITIONS[state << 5 | class]; 0 is dead.
 */

/** Word-break classes. */
${classNames.map((name, i) => `export const CLASS_${name.toUpperCase()}: u32 = ${i};`).join('\n')}

/**
 * States: the initial one; the one that skips a character and has no way on; the one after one connector (ExtendNumLet);
 * the first that accepts a token. Those from STATE_SKIP on accept, those below do not.
 */
export const STATE_INITIAL: u32 = 1;
export const STATE_SKIP: u32 = ${skipLeaf};
export const STATE_CONNECTOR: u32 = ${skipLeaf + 1};
export const STATE_TOKEN: u32 = ${firstToken};
/** States after a run of ASCII letters and digits: ends with a letter; digits only; ends with a digit, has letters. */
export const STATE_LETTERS: u32 = ${letters};
export const STATE_DIGITS: u32 = ${digits};
export const STATE_LETTERS_DIGITS: u32 = ${lettersDigits};
/** The state after two or more connectors and nothing else. */
export const STATE_CONNECTORS: u32 = ${connectors};

/** u8 per state: the type of the token it accepts, 255 if it accepts none. */
export const STATE_TYPES: usize = memory.data<u8>(${array(types, 26)});

/** u8 per state and class, ${STRIDE} a state: the next state. */
export const TRANSITIONS: usize = memory.data<u8>(${array(transitions, STRIDE)});

/** u8 per record: its class. */
export const RECORD_CLASS: usize = memory.data<u8>(${array(recordClass, 26)});

/** i32 per record: the distance to the lower-case letter. */
export const RECORD_DISTANCE: usize = memory.data<i32>(${array(recordDistance, 16)});

/** Code points below PLANES are in the index directly, ${TAGS_LENGTH} from TAGS on follow them. */
export const PLANES: u32 = 0x${PLANES.toString(16)};
export const TAGS: u32 = 0x${TAGS.toString(16)};
export const TAGS_LENGTH: u32 = 0x${TAGS_LENGTH.toString(16)};

/** u8 per block of ${BLOCK} code points: where its records are. */
export const RECORD_INDEX: usize = memory.data<u8>(${array(blockIndex, 26)});

/** u8 per code point of a block: its record. The records of ASCII come first. */
export const RECORDS: usize = memory.data<u8>(${array(blocks, BLOCK / 2)});
`;
// Tables keep the layout given here, whatever the formatter would do.
const marked = output.replaceAll(
  /^export const \w+: usize = memory/gm,
  '// biome-ignore format: a table\n$&',
);
const target = new URL('../assembly/analysis/standardTables.ts', here);
if (!process.argv.includes('--check')) writeFileSync(target, marked);
else if (readFileSync(target, 'utf8') !== marked) {
  console.error('assembly/analysis/standardTables.ts is not what scripts/generate-unicode.mjs writes');
  process.exitCode = 1;
}
