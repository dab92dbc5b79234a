/** Lines of the log for people: time, level, message, then what belongs to it. */

/** What pino has made a line of. */
interface Line {
  level: number;
  severity: string;
  time: string;
  msg?: string;
  /** The name of a slow log. */
  logger?: string;
  /** The kind of a line for programs. */
  event?: string;
  [field: string]: unknown;
}

const RED = 31;
const YELLOW = 33;
const GREEN = 32;
const GREY = 90;
/** Colours of the terminal by level. */
const COLOURS: Readonly<Record<string, number>> = {
  fatal: RED,
  error: RED,
  warn: YELLOW,
  info: GREEN,
  debug: GREY,
  trace: GREY,
};

/**
 * A line for people, of one of JSON. The fields of one with a `logger` or an `event` aren't shown: its message says the same. Names that clients have chosen may stand in it: control characters are shown as `\x1b`, so that none
 * of them reaches the terminal, and none ends the line.
 * @param json a line as pino writes it
 * @param colours whether the terminal shows colours
 */
export function logText(json: string, colours: boolean): string {
  const { level: _, severity, time, msg = '', logger, event, ...fields } = JSON.parse(json) as Line;
  const paint = (text: string, colour: number) => (colours ? `\x1b[${colour}m${text}\x1b[0m` : text);
  const word = paint(severity.toUpperCase().padEnd(5), COLOURS[severity] ?? GREY);
  const text = printable(logger === undefined ? msg : `[${logger}] ${msg}`);
  const shown = logger === undefined && event === undefined ? Object.entries(fields) : [];
  const rest = shown.map(([name, value]) => paint(` ${name}=${valueText(value)}`, GREY));
  return `${paint(time, GREY)} ${word} ${text}${rest.join('')}\n`;
}

/** A value without blanks as it is, others as JSON. */
function valueText(value: unknown): string {
  return printable(typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value));
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escaped);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\n') return '\\n';
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
