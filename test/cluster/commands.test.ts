/** Commands as bytes: what is written is read, and what no node writes is told apart. */
import { describe, expect, it } from 'vitest';
import {
  decodeCommand,
  encodeCommand,
  MalformedCommand,
  NewerCommand,
} from '../../host/replication/documentCommand.js';
import { NEWEST_FORMAT } from '../../host/replication/formats.js';
import { decodeMetadata, encodeMetadata } from '../../host/replication/metadataCommand.js';
import type { Operation } from '../../host/shard/operation.js';
import { indexKey, METADATA_PLACE_KEY, seqKey, templateKey } from '../../host/storage/records.js';
import { Random } from '../torture/random.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const ops: Operation[] = [
  { kind: 'index', type: 't', id: 'ü\ud800', source: bytes('{"a":1}'), create: true, routing: 'r', ttl: 5 },
  { kind: 'delete', type: 't', id: '2', version: 2n ** 60n, versionType: 'external', forgotten: true },
  { kind: 'index', type: 't', id: '3', source: bytes(''), expected: null, parent: 'p', timestamp: '1' },
  { kind: 'delete', type: 't', id: '4', expected: 7, version: 7, versionType: 'external_gte' },
];
const command = { writer: 'w-1', number: 3, time: 1_420_070_400_000, horizon: -5, ops };

/** The same bytes with another text in their header, which gets its own length. */
function withHeader(change: (header: Record<string, unknown>) => void): Uint8Array {
  const whole = encodeCommand(command);
  const length = new DataView(whole.buffer).getUint32(0);
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length)));
  change(header);
  const text = bytes(JSON.stringify(header));
  const out = new Uint8Array(4 + text.length + whole.length - 4 - length);
  new DataView(out.buffer).setUint32(0, text.length);
  out.set(text, 4);
  out.set(whole.subarray(4 + length), 4 + text.length);
  return out;
}

describe('a command on documents', () => {
  it('is read as it was written', () => {
    expect(decodeCommand(encodeCommand(command))).toEqual(command);
  });

  it('of a newer version is no malformed one', () => {
    expect(() =>
      decodeCommand(withHeader((header) => Object.assign(header, { format: NEWEST_FORMAT + 1 }))),
    ).toThrow(NewerCommand);
  });

  it('that no node writes is refused', () => {
    const changes: Record<string, unknown>[] = [
      { format: undefined },
      { writer: '' },
      { number: -1 },
      { number: 1.5 },
      { time: 1e300 },
      { ops: {} },
      { ops: [{ kind: 'update', type: 't', id: '1' }] },
      { ops: [{ kind: 'index', type: 't', id: '1', bytes: 1000 }] },
      { ops: [{ kind: 'delete', type: 't', id: 1 }] },
      { ops: [{ kind: 'delete', type: 't', id: '1', version: 'x' }] },
      { ops: [] },
    ];
    for (const change of changes)
      expect(() => decodeCommand(withHeader((header) => Object.assign(header, change)))).toThrow(
        MalformedCommand,
      );
    const random = new Random(1);
    const whole = encodeCommand(command);
    for (let i = 0; i < 2000; i++) {
      const cut = whole.slice(0, random.below(whole.length));
      expect(() => decodeCommand(cut)).toThrow(MalformedCommand);
    }
  });
});

describe('a command of documents of which nothing is said but their ids', () => {
  const plain: Operation[] = [
    { kind: 'index', type: 't', id: '1', source: bytes('{"a":1}') },
    { kind: 'index', type: 't', id: 'a \u00fc', source: bytes(''), create: true },
    { kind: 'index', type: 'tt', id: '', source: bytes('{"b":2}') },
    { kind: 'index', type: 't', id: '{"ops":[', source: bytes('{}') },
    { kind: 'index', type: 't', id: 'x'.repeat(300), source: bytes(`"${'y'.repeat(2000)}"`) },
  ];
  const unquoted = plain.filter(({ id }) => !id.includes('"'));
  const each = { writer: 'w-1', number: 3, time: 1_420_070_400_000, horizon: -5 };
  /** The same in the words of JSON, which are parsed as such. */
  const withText = (change: (text: string) => string) => {
    const whole = encodeCommand({ ...each, ops: unquoted });
    const length = new DataView(whole.buffer).getUint32(0);
    const text = bytes(change(new TextDecoder().decode(whole.subarray(4, 4 + length))));
    const out = new Uint8Array(whole.length - length + text.length);
    new DataView(out.buffer).setUint32(0, text.length);
    out.set(text, 4);
    out.set(whole.subarray(4 + length), 4 + text.length);
    return out;
  };

  it('is written as any other', () => {
    const ops = [...plain, { kind: 'index' as const, type: 't', id: '9', routing: 'r', source: bytes('{}') }];
    const whole = encodeCommand({ ...each, isDistant: true, ops });
    const length = new DataView(whole.buffer).getUint32(0);
    const heads = ops.map(({ source, kind, type, id, routing, create }) => {
      return { kind, type, id, routing, create, bytes: source!.length };
    });
    const header = { format: 1, ...each, isDistant: true, ops: heads };
    expect(JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length)))).toEqual(
      JSON.parse(JSON.stringify(header)),
    );
  });

  it('says nothing of versions that are as they are without', () => {
    const ops = plain.map((op) => ({ ...op, versionType: 'internal' as const }));
    expect(encodeCommand({ ...each, ops })).toEqual(encodeCommand({ ...each, ops: plain }));
    const removed: Operation = { kind: 'delete', type: 't', id: '1', version: 3 };
    const written = encodeCommand({ ...each, ops: [{ ...removed, versionType: 'internal' }] });
    expect(written).toEqual(encodeCommand({ ...each, ops: [removed] }));
  });

  it('is read as it was written, whatever its ids are', () => {
    for (const ops of [plain, unquoted, plain.slice(0, 1)]) {
      expect(decodeCommand(encodeCommand({ ...each, ops }))).toEqual({ ...each, ops });
      const distant = { ...each, isDistant: true, ops };
      expect(decodeCommand(encodeCommand(distant))).toEqual(distant);
    }
  });

  it('is read however it is written in JSON', () => {
    const changes: ((text: string) => string)[] = [
      (text) => JSON.stringify(JSON.parse(text), undefined, 1),
      (text) => text.replace('{"kind":"index","type":"t"', '{"type":"t","kind":"index"'),
      (text) => text.replace('"id":"1"', '"id":"\\u0031"'),
      (text) => text.replace('"id":"1"', '"id":"1","other":true'),
      (text) => text.replace(/}$/, ',"other":{"ops":[]}}'),
      (text) => text.replace('"ops":[', '"ops":[],"ops":['),
    ];
    const read = decodeCommand(withText((text) => text));
    for (const change of changes) expect(decodeCommand(withText(change))).toEqual(read);
  });

  it('is refused where it is no JSON, or its sources have other lengths', () => {
    const changes: ((text: string) => string)[] = [
      (text) => text.replace('"id":"1"', '"id":"\t1"'),
      (text) => text.replace('"bytes":7', '"bytes":07'),
      (text) => text.replace('"bytes":7', '"bytes":'),
      (text) => text.replace('"bytes":7', '"bytes":8'),
      (text) => text.replace('"bytes":7', '"bytes":7000000000'),
      (text) => text.replace(']}', ',]}'),
      (text) => text.replace(']}', ']'),
      (text) => text.replace(']}', ']}}'),
      (text) => text.replace('"format"', '"x":{"format"'),
    ];
    for (const change of changes)
      expect(() => decodeCommand(withText(change)), String(change)).toThrow(MalformedCommand);
  });
});

describe('a change of metadata', () => {
  const index = {
    name: 'a',
    uuid: 'u-1',
    created: 1_420_070_400_000,
    settings: { shards: 1, replicas: 0, refreshInterval: 1000, flat: {} },
    shardUids: [7],
  };
  const rowOf = (value: unknown) => [indexKey('a'), bytes(JSON.stringify(value))] as const;
  const change = { puts: [rowOf(index)], deletes: [templateKey('t')] };

  it('is read as it was written', () => {
    expect(decodeMetadata(encodeMetadata(change))).toEqual(change);
  });

  it('is refused where an index in it is none', () => {
    const { flat: _, ...settings } = index.settings;
    const wrong = [
      ...[null, 7, [], {}, { ...index, name: 'b' }, { ...index, uuid: '../x' }, { ...index, settings }],
      ...[
        { ...index, shardUids: [] },
        { ...index, shardUids: ['7'] },
        { ...index, mapping: 7 },
      ],
    ];
    for (const value of wrong)
      expect(() => decodeMetadata(encodeMetadata({ puts: [rowOf(value)], deletes: [] }))).toThrow(
        MalformedCommand,
      );
  });

  it('of a newer version, cut off, or of rows that are not shared is refused', () => {
    const whole = encodeMetadata(change);
    const newer = whole.slice();
    newer[3] = NEWEST_FORMAT + 1;
    expect(() => decodeMetadata(newer)).toThrow(NewerCommand);
    for (let length = 0; length < whole.length; length++)
      expect(() => decodeMetadata(whole.slice(0, length))).toThrow(MalformedCommand);
    for (const key of [seqKey('d', 1, 1), METADATA_PLACE_KEY, new Uint8Array(0)])
      expect(() => decodeMetadata(encodeMetadata({ puts: [[key, bytes('x')]], deletes: [] }))).toThrow(
        MalformedCommand,
      );
  });
});
