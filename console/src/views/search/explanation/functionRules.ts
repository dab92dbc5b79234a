/** Functions of `function_score`. */
import { named, type Rule } from './rule';

/** The largest float: no `max_boost` was given. */
const UNBOUNDED = 3.4e38;

const MODES: Readonly<Record<string, string>> = {
  multiply: 'multiplied with each other',
  sum: 'added up',
  avg: 'averaged, by their weights',
  first: 'the first whose filter matches',
  max: 'the largest of them',
  min: 'the smallest of them',
};

const SHAPES: readonly [RegExp, string][] = [
  [/^exp\(-0\.5\*pow\(/, 'Falls off like a bell around the origin (gauss).'],
  [/^exp\(- /, 'Falls off exponentially with the distance from the origin (exp).'],
  [/^max\(0\.0, /, 'Falls off in a straight line with the distance from the origin (linear).'],
];

export const FUNCTION_RULES: readonly Rule[] = [
  {
    pattern: /^queryBoost$/,
    read: named('boost', 'The boost of the function_score query.', 'factor'),
  },
  {
    pattern: /^Math\.min of$/,
    read: (_, { details }) => {
      const limit = details.find(({ title }) => title === 'max_boost');
      const isBounded = limit !== undefined && limit.value < UNBOUNDED;
      return {
        kind: 'function',
        title: 'functions',
        query: 'functions',
        ...(isBounded
          ? {
              formula: 'min(functions, max_boost)',
              numbers: `min(${details[0]?.digits ?? '?'}, ${limit.digits})`,
            }
          : {}),
        meaning: isBounded ? 'What the functions give, at most max_boost.' : 'What the functions give.',
      };
    },
  },
  {
    pattern: /^maxBoost$/,
    read: (_, { digits }) => ({
      kind: 'number',
      title: 'max_boost',
      meaning: Number(digits) > UNBOUNDED ? 'No limit was given.' : 'The most that functions may give.',
    }),
  },
  {
    pattern: /^function score, score mode \[(\w+)\]$/,
    read: ([, mode = '']) => ({
      kind: 'function',
      title: `functions, ${mode}`,
      meaning: `What the functions give, ${MODES[mode] ?? mode} (score_mode).`,
    }),
  },
  {
    pattern: /^match filter: (.*)$/s,
    read: ([, filter = '']) => ({
      kind: 'number',
      title: `filter: ${filter === '*:*' ? 'all documents' : filter}`,
      meaning: 'The filter of the function matches.',
    }),
  },
  { pattern: /^weight$/, read: named('weight', 'What the function is multiplied by.') },
  {
    pattern: /^static boost factor$/,
    read: named('boost_factor', 'A number from the query.', 'function'),
  },
  { pattern: /^boostFactor$/, read: named('boost_factor', 'A number from the query.') },
  {
    pattern: /^constant score 1\.0 - no function provided$/,
    read: named('1', 'No function but a weight was given.', 'function'),
  },
  {
    pattern: /^random score function \(seed: (-?\d+)\)$/,
    read: ([, seed = '']) => ({
      kind: 'function',
      title: 'random_score',
      meaning: `A random number that is the same whenever the seed is ${seed}.`,
    }),
  },
  {
    pattern: /^field value function: (\w+)\((.*) \* factor=(-?[\d.E-]+)\)$/s,
    read: ([, modifier = '', field = '', factor = '']) => ({
      kind: 'function',
      title: 'field_value_factor',
      formula: `${modifier === 'none' ? '' : modifier}(${field} × ${factor})`,
      meaning: 'A number that the document has in a field.',
    }),
  },
  {
    pattern: /^script score function, computed with script:"(.*)$/s,
    read: ([, script = '']) => ({
      kind: 'function',
      title: 'script_score',
      formula: script.replace(/" and parameters: \n.*$/s, '').replace(/"$/, ''),
      meaning: 'What a script has worked out.',
    }),
  },
  { pattern: /^_score: $/, read: named('_score', 'The score of the query, which the script may use.') },
  {
    pattern: /^Function for field (.*):$/s,
    read: ([, field = '']) => ({
      kind: 'function',
      title: `decay by ${field}`,
      meaning: `How near the value of ${field} is to the origin: 1 there, less further away.`,
    }),
  },
  {
    pattern: /^(?:exp\(|max\(0\.0, ).*$/s,
    read: ([text = '']) => ({
      kind: 'function',
      title: 'decay',
      formula: text.replaceAll('*', ' × ').replaceAll('Math.', ''),
      meaning: SHAPES.find(([pattern]) => pattern.test(text))?.[1] ?? '',
    }),
  },
];
