/** The formats of bodies and answers besides JSON: which one it is, and bodies of it as JSON. */
import { LatePart } from '../latePart.js';
import { atOnce, inTurns, type WorkLimit } from '../workLimit.js';
import type { Weigh } from './jsonWriter.js';
import { looksLikeSmile } from './smileHeader.js';

/** CBOR and SMILE. A request whose body is of one has to have them loaded. */
export const binaryFormats = new LatePart(
  'what reads CBOR and SMILE',
  ['=cbor', '=smile'],
  () => import('./binaryFormats.js'),
);

/** A format that is not JSON. */
export type Format = 'yaml' | 'cbor' | 'smile';

const FORMATS: readonly Format[] = ['yaml', 'cbor', 'smile'];
/** Bodies of these calls are several values. */
const LINES = /\/_(bulk|msearch|mpercolate)\/?(\?|$)/;
/** What YAML begins with. */
const YAML_MARK = [0x2d, 0x2d, 0x2d];

/** Shorter bodies are read at once. */
const LONG_BODY = 64 * 1024;

/** A body as JSON, and the format that the answer has unless the request names another. */
export interface ReadBody {
  json: Uint8Array;
  wanted: Format | 'json' | undefined;
}

/** Makes JSON of a body in YAML; what is no YAML stays as it is. */
export type ReadYaml = (body: Uint8Array) => Promise<Uint8Array>;

/**
 * Reads a body by its first bytes, as 1.7 does; one that breaks off stays as it is, which is no JSON.
 * @param readYaml makes JSON of YAML, where that can be read
 * @param weigh told of what the JSON of a binary format takes
 * @param limit lets others have the event loop while a long body is read
 */
export function readFormat(uri: string, contentType: string, body: Uint8Array): ReadBody;
export function readFormat(
  uri: string,
  contentType: string,
  body: Uint8Array,
  readYaml: ReadYaml | undefined,
  weigh?: Weigh,
  limit?: WorkLimit,
): ReadBody | Promise<ReadBody>;
export function readFormat(
  uri: string,
  contentType: string,
  body: Uint8Array,
  readYaml?: ReadYaml,
  weigh?: Weigh,
  limit?: WorkLimit,
): ReadBody | Promise<ReadBody> {
  const named = formatNamed(contentType);
  const found = formatOf(body, readYaml !== undefined);
  if (found === undefined)
    return { json: body, wanted: named === 'json' && !uri.startsWith('/_cat') ? undefined : named };
  const wanted = named === undefined ? found : named === 'json' ? undefined : named;
  // Where several values are asked for, it will be said that these formats have none.
  if (found !== 'smile' && LINES.test(uri)) return { json: body, wanted };
  if (found === 'yaml') return readYaml!(body).then((json) => ({ json, wanted }));
  const { loaded } = binaryFormats;
  if (limit === undefined || body.length < LONG_BODY)
    return { json: atOnce(loaded.transcoded(LINES.test(uri), found, body, weigh, undefined)), wanted };
  const steps = loaded.transcoded(LINES.test(uri), found, body, weigh, (count) => limit.isDue(count));
  return inTurns(steps, limit).then((json) => ({ json, wanted }));
}

/** The format that a content type or the parameter `format` names; JSON is one, and so is nothing that is known. */
export function formatNamed(name: string): Format | 'json' | undefined {
  const short = name.startsWith('application/') ? name.slice('application/'.length) : name;
  return short === 'json' ? 'json' : FORMATS.find((format) => format === short);
}

/** The format that a body's first bytes tell of; undefined for JSON, and for what is none. */
export function formatOf(body: Uint8Array, takesYaml: boolean): Format | undefined {
  if (takesYaml && YAML_MARK.every((byte, i) => body[i] === byte)) return 'yaml';
  if (looksLikeSmile(body)) return 'smile';
  const [first, second, third] = body;
  // A map, or the tag that says that this is CBOR; neither can begin a text.
  return first! >> 5 === 5 || (first === 0xd9 && second === 0xd9 && third === 0xf7) ? 'cbor' : undefined;
}
