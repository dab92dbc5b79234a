import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { BulkServer, type Fate } from './bulkServer.js';
import { type Ended, OPEN, run, start } from './command.js';

let cwd: string;
let server: BulkServer;
let url: string;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'resilin-import-'));
  server = new BulkServer();
  url = await server.listen();
});
afterEach(async () => {
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
});

const put = (name: string, content: string | Buffer) => writeFileSync(join(cwd, name), content);
const imported = (args: readonly string[], input?: string | Buffer): Promise<Ended> =>
  run(['import', ...args, '--index', 'books', '--url', url], {
    cwd,
    ...(input === undefined ? {} : { input }),
  });
const sources = () => [...server.documents.values()];
const refused = (name: string): Record<string, unknown>[] =>
  readFileSync(join(cwd, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Lines that are told apart, and long enough for several requests of a megabyte. */
const numbered = (count: number, bytes = 1000) =>
  Array.from({ length: count }, (_, n) => `{"n":${n},"text":"${'x'.repeat(bytes)}"}\n`);
/** Has a held request go on. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open };
}

describe('formats', () => {
  it('passes the bytes of JSON lines on, without a byte order mark, carriage returns and empty lines', async () => {
    put('books.jsonl', '\ufeff{"a": 1.50}\r\n\n  {"a":12345678901234567890} \n{"ü":"\\u00fc"}');
    const { status, out } = await imported(['books.jsonl', '--type', 'book']);
    expect([status, out]).toEqual([0, expect.stringMatching(/^3 documents taken \(/)]);
    expect(sources()).toEqual(['{"a": 1.50}', '{"a":12345678901234567890}', '{"ü":"\\u00fc"}']);
    expect(server.requests.at(-1)!.path).toBe('/books/book/_bulk');
    expect(server.sent.every(({ kind }) => kind === 'create')).toBe(true);
  });

  it('reads what is packed, and the standard input, by their first bytes', async () => {
    put('books.data', zlib.gzipSync('{"a":1}\n{"a":2}\n'));
    expect((await imported(['books.data'])).status).toBe(0);
    expect((await imported(['-'], zlib.gzipSync('[{"a":3}]'))).status).toBe(0);
    expect((await imported(['-'], '{"a":4}\n')).status).toBe(0);
    expect(sources()).toEqual(['{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}']);
    const { createZstdDecompress, zstdCompressSync } = zlib as unknown as Record<
      string,
      ((bytes: Buffer) => Buffer) | undefined
    >;
    const packed = zstdCompressSync?.(Buffer.from('{"a":5}\n')) ?? Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]);
    put('books.jsonl.zst', packed);
    const { status, err } = await imported(['books.jsonl.zst']);
    if (createZstdDecompress === undefined)
      expect([status, err]).toEqual([
        2,
        expect.stringContaining(`zstd, which Node ${process.versions.node}`),
      ]);
    else {
      expect([status, sources().at(-1)]).toEqual([0, '{"a":5}']);
      // Several frames, as of files that were put together; and one that isn't whole.
      const frames = [0, 1, 2].map((n) =>
        zstdCompressSync!(Buffer.from(numbered(300).join('').replaceAll('"n"', `"n${n}"`))),
      );
      put('many.jsonl.zst', Buffer.concat(frames));
      expect((await imported(['many.jsonl.zst'])).out).toMatch(/^900 documents taken/);
      put('cut.jsonl.zst', Buffer.concat(frames).subarray(0, -20));
      const cut = await imported(['cut.jsonl.zst']);
      expect([cut.status, cut.err]).toEqual([3, expect.stringContaining('unexpected end of file')]);
      put('more.jsonl.zst', Buffer.concat([frames[0]!, Buffer.from('more')]));
      expect((await imported(['more.jsonl.zst'])).status).toBe(3);
    }
  });

  it('a packed file that ends too early: what came is taken, and the status tells', async () => {
    const packed = zlib.gzipSync(`{"a":1}\n{"a":2}\n`);
    put('books.jsonl.gz', packed.subarray(0, packed.length - 9));
    const { status, err } = await imported(['books.jsonl.gz']);
    expect([status, err]).toEqual([3, expect.stringContaining('unexpected end of file')]);
  });

  it('takes ids from a field, numbers and fields of objects too', async () => {
    put('books.jsonl', '{"isbn":"a b"}\n{"isbn":12345678901234567890}\n{"isbn":null}\n{"other":"isbn"}\n');
    put('more.jsonl', '{"x":{"isbn":"deep"}}\n{"x.isbn":"\\"\\u00fc"}\n');
    expect((await imported(['books.jsonl', '--id', 'isbn'])).status).toBe(1);
    expect((await imported(['more.jsonl', '--id', 'x.isbn'])).status).toBe(0);
    expect([...server.documents.keys()].sort()).toEqual(['"ü', '12345678901234567890', 'a b', 'deep']);
    expect(refused('books.jsonl.refused.jsonl').map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'no field isbn that can be an id'],
      [4, 'no field isbn that can be an id'],
    ]);
  });

  it('reads lists element by element, in whatever pieces they come', async () => {
    put('books.json', ' [\n{"a":\n "]},{\\"", "b":[[1],{}]} ,\r\n{}, 5,{"c":2}]\n');
    const { status } = await imported(['books.json']);
    expect(status).toBe(1);
    expect(sources()).toEqual(['{"a":  "]},{\\"", "b":[[1],{}]}', '{}', '{"c":2}']);
    expect(refused('books.json.refused.jsonl')).toMatchObject([
      { line: 3, reason: 'no JSON object', source: '5' },
    ]);
    put('open.json', '[{"d":1},{"d":');
    const open = await imported(['open.json']);
    expect([open.status, open.err]).toEqual([3, expect.stringContaining('the list has no end')]);
    expect(sources().at(-1)).toBe('{"d":1}');
    put('empty.json', '[ ]');
    expect((await imported(['empty.json'])).status).toBe(0);
  });

  it('reads tables: quotes, line feeds in cells, empty cells, numbers that can only be numbers', async () => {
    put(
      'books.csv',
      'id,title,pages,isbn,lent,note\r\n' +
        '1,"The ""Rose"", again",500,007,true,"two\r\nlines"\r\n' +
        '2,"12",1.50,1e5,yes,\r\n' +
        '\r\n' +
        '3,-0.5,9999999999999999999,+1,false,x\r\n' +
        '4,short\r\n' +
        '5,"open',
    );
    expect((await imported(['books.csv', '--id', 'id'])).status).toBe(1);
    expect([...server.documents]).toEqual([
      [
        '1',
        '{"id":1,"title":"The \\"Rose\\", again","pages":500,"isbn":"007","lent":true,"note":"two\\r\\nlines"}',
      ],
      ['2', '{"id":2,"title":"12","pages":1.50,"isbn":"1e5","lent":"yes"}'],
      ['3', '{"id":3,"title":-0.5,"pages":"9999999999999999999","isbn":"+1","lent":false,"note":"x"}'],
    ]);
    expect(refused('books.csv.refused.jsonl').map(({ line, reason }) => [line, reason])).toEqual([
      [7, '2 cells, but the header has 6'],
      [8, 'a quote is not closed'],
    ]);
    put('books.tsv', 'a\tb\n1\t2,3\n');
    expect((await imported(['books.tsv'])).status).toBe(0);
    expect(
      (await imported(['-', '--format', 'csv', '--delimiter', ';', '--text'], 'a;b\n1;true')).status,
    ).toBe(0);
    expect(sources().slice(3)).toEqual(['{"a":1,"b":"2,3"}', '{"a":"1","b":"true"}']);
    put('twice.csv', 'a,a\n1,2\n');
    const twice = await imported(['twice.csv']);
    expect([twice.status, twice.err]).toEqual([3, expect.stringContaining('the header has a twice')]);
  });

  it('passes bulk files on with routing, parents and versions, and gives ids to what has none', async () => {
    put(
      'books.bulk',
      [
        '{"index":{"_id":"1","_type":"book","_routing":"r","_version":7,"_version_type":"external"}}',
        '{"a": 1}',
        '{ "index" : { "_parent" : "p" } }\r',
        '{"a":2}\r',
        '{"delete":{"_id":"9"}}',
        '{"update":{"_id":"1"}}',
        '{"doc":{"a":3}}',
        '{"update":{}}',
        '{"doc":{}}',
        'nothing',
        '{"index":{"_id":"5"}}',
      ].join('\n'),
    );
    expect((await imported(['books.bulk'])).status).toBe(1);
    const own = expect.stringMatching(/^[\w-]{12}-3$/);
    const byKind = (kind: string) => server.sent.filter((each) => each.kind === kind);
    expect(byKind('index')).toEqual([
      {
        kind: 'index',
        meta: { _id: '1', _type: 'book', _routing: 'r', _version: 7, _version_type: 'external' },
        source: '{"a": 1}',
      },
    ]);
    expect(byKind('create')).toEqual([
      { kind: 'create', meta: { _parent: 'p', _id: own }, source: '{"a":2}' },
    ]);
    expect(byKind('delete')).toMatchObject([{ meta: { _id: '9' } }]);
    expect(byKind('update')).toMatchObject([{ source: '{"doc":{"a":3}}' }]);
    expect(refused('books.bulk.refused.jsonl').map(({ line, reason }) => [line, reason])).toEqual([
      [8, 'no _id'],
      [10, 'no action of a bulk'],
      [11, 'no source follows it'],
    ]);
  });

  it('needs no index where the lines of a bulk name theirs', async () => {
    put(
      'books.bulk',
      '{"index":{"_index":"b","_type":"t","_id":"1"}}\n{"a":1}\n{"index":{"_index":"b","_id":"2"}}\n{"a":2}\n{"delete":{"_id":"3"}}\n',
    );
    put('books.jsonl', '{"a":1}\n');
    const { status } = await run(['import', 'books.bulk', '--url', url], { cwd });
    expect([status, server.requests.at(-1)!.path, sources()]).toEqual([1, '/_bulk', ['{"a":1}']]);
    expect(refused('books.bulk.refused.jsonl').map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'no _index or no _type, and no --index'],
      [5, 'no _index or no _type, and no --index'],
    ]);
    const none = await run(['import', 'books.jsonl', '--url', url], { cwd });
    expect([none.status, none.err]).toEqual([2, expect.stringContaining('--index is missing')]);
  });

  it('reads hits with their metadata, as export writes them', async () => {
    put(
      'books.jsonl',
      '{"_id":"1","_type":"book","_routing":"r","_version":3,"_score":1,"_source":{"a" : 1.0}}\n{"_id":"2"}\n',
    );
    expect((await imported(['books.jsonl'])).status).toBe(1);
    expect(server.sent).toEqual([
      {
        kind: 'index',
        meta: { _id: '1', _type: 'book', _routing: 'r', _version: 3, _version_type: 'external_gte' },
        source: '{"a" : 1.0}',
      },
    ]);
    expect(refused('books.jsonl.refused.jsonl')).toMatchObject([{ line: 2 }]);
  });

  it('the last line without a line feed is taken if it is JSON, and refused otherwise', async () => {
    put('whole.jsonl', '{"a":1}\n{"a":2}');
    put('torn.jsonl', '{"a":3}\n{"a":{"b":4}');
    expect((await imported(['whole.jsonl'])).status).toBe(0);
    expect((await imported(['torn.jsonl'])).status).toBe(1);
    expect(sources()).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
    expect(refused('torn.jsonl.refused.jsonl')).toEqual([
      {
        file: join(cwd, 'torn.jsonl'),
        line: 2,
        offset: 8,
        status: 400,
        reason: 'the last line ends in the middle of its object',
        source: '{"a":{"b":4}',
      },
    ]);
  });

  it('lines beyond a bound are refused without being held', async () => {
    const long = `{"a":"${'x'.repeat(3_000_000)}"}`;
    const short = `{"a":"${'y'.repeat(900_000)}"}`;
    put('books.jsonl', `{"a":1}\n${long}\n${short}\n${long}`);
    put('books.json', `[{"a":2},${long},${short}]`);
    for (const name of ['books.jsonl', 'books.json'])
      expect((await imported([name, '--max-document', '1', '--bulk', '1'])).status).toBe(1);
    expect(sources().sort()).toEqual(['{"a":1}', '{"a":2}', short, short].sort());
    for (const [name, lines] of [
      ['books.jsonl', [2, 4]],
      ['books.json', [2]],
    ] as const) {
      const entries = refused(`${name}.refused.jsonl`);
      expect(entries.map(({ line }) => line)).toEqual(lines);
      expect(entries[0]).toMatchObject({
        reason: 'longer than 1 MB (--max-document)',
        source: long.slice(0, 1024),
      });
    }
  });
});

describe('a server that fails', () => {
  it('is asked again; nothing is lost or doubled, whatever became of the requests that broke', async () => {
    const lines = numbered(6000);
    put('books.jsonl', lines.join(''));
    const fates = [429, 'breakTaken', 503, 'break', 500, 'breakTaken', 502] as const;
    const three = gate();
    server.fate = async (n) => {
      if (n === 3) three.open();
      if (n <= 3) await three.opened;
      return fates[n - 1] ?? 'take';
    };
    const { status, err, out } = await imported(['books.jsonl', '--bulk', '1', '--connections', '3']);
    expect([status, out]).toEqual([0, expect.stringMatching(/^6,000 documents taken/)]);
    expect(err).toMatch(/answers with 429: fate 429; trying again/);
    expect(sources().sort()).toEqual(lines.map((line) => line.trimEnd()).sort());
    expect(server.mostAtOnce).toBe(3);
    expect(Math.max(...server.requests.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1024 * 1024);
  });

  it('sends single actions again that are put off, and those of the same document behind them', async () => {
    put(
      'books.bulk',
      [
        ['{"index":{"_id":"1"}}', '{"v":1}'],
        ['{"index":{"_id":"2"}}', '{"v":2}'],
        ['{"index":{"_id":"1"}}', '{"v":3}'],
        ['{"index":{"_id":"3"}}', '{"v":4}'],
      ]
        .flat()
        .map((line) => `${line}\n`)
        .join(''),
    );
    let puts = 0;
    server.statusOf = ({ source }) => {
      if (source === '{"v":1}' && puts++ === 0) return 429;
      return source === '{"v":4}' ? 400 : undefined;
    };
    expect((await imported(['books.bulk', '--connections', '1'])).status).toBe(1);
    expect(server.sent.map(({ source }) => source)).toEqual([
      '{"v":1}',
      '{"v":2}',
      '{"v":3}',
      '{"v":4}',
      '{"v":1}',
      '{"v":3}',
    ]);
    expect(Object.fromEntries(server.documents)).toEqual({ 1: '{"v":3}', 2: '{"v":2}' });
    expect(refused('books.bulk.refused.jsonl')).toEqual([
      {
        file: join(cwd, 'books.bulk'),
        line: 7,
        offset: 90,
        status: 400,
        reason: 'Refused[400]',
        action: '{"index":{"_id":"3"}}',
        source: '{"v":4}',
      },
    ]);
  });

  it('that refuses requests for what one document has: that one is found', async () => {
    put('books.jsonl', Array.from({ length: 100 }, (_, n) => `{"n":${n}}\n`).join(''));
    server.fate = (_, actions) => (actions.some(({ source }) => source === '{"n":37}') ? 400 : 'take');
    expect((await imported(['books.jsonl'])).status).toBe(1);
    expect(server.documents.size).toBe(99);
    expect(refused('books.jsonl.refused.jsonl')).toMatchObject([
      { line: 38, status: 400, source: '{"n":37}' },
    ]);
  });

  it('that takes only small requests gets them', async () => {
    put('books.jsonl', Array.from({ length: 100 }, (_, n) => `{"n":${n}}\n`).join(''));
    server.fate = (_, actions) => (actions.length > 10 ? 413 : 'take');
    expect((await imported(['books.jsonl'])).status).toBe(0);
    expect(server.documents.size).toBe(100);
    expect(server.sent.length).toBeGreaterThan(100);
  });

  it('for good: it ends, and tells how to go on, which takes the rest', async () => {
    const lines = numbered(3000);
    put('books.jsonl', lines.join(''));
    server.fate = (n) => (n === 1 ? 'take' : n < 20 ? 403 : 'take');
    const ended = await imported(['books.jsonl', '--bulk', '1', '--connections', '1']);
    expect(ended.status).toBe(3);
    expect(ended.err).toMatch(/_bulk answers with 403: fate 403/);
    const [, more] = /--resume (\S+)\n/.exec(ended.err)!;
    server.fate = () => 'take';
    server.sent.length = 0;
    const again = await imported(['books.jsonl', '--bulk', '1', '--resume', more!]);
    expect([again.status, again.out]).toEqual([0, expect.stringMatching(/^3,000 documents taken/)]);
    expect(sources().sort()).toEqual(lines.map((line) => line.trimEnd()).sort());
    expect(server.sent.length).toBeLessThan(3000);
    server.fate = () => 503;
    const tired = await imported(['books.jsonl', '--tries', '1', '--quiet']);
    expect([tired.status, tired.err]).toEqual([
      3,
      expect.stringContaining('503: fate 503; given up after 1 tries'),
    ]);
  });

  it('that is not there: it says so', async () => {
    put('books.jsonl', '{}\n');
    const { status, err } = await run(
      ['import', 'books.jsonl', '--index', 'b', '--url', 'http://127.0.0.1:1'],
      { cwd },
    );
    expect([status, err]).toEqual([3, expect.stringContaining('http://127.0.0.1:1 gives no answer: ')]);
  });
});

describe('going on', () => {
  const formats = {
    'lines.jsonl': (lines: string[]) => Buffer.from(lines.join('')),
    'lines.jsonl.gz': (lines: string[]) => zlib.gzipSync(lines.join('')),
    'list.json': (lines: string[]) => Buffer.from(`[${lines.join(',')}]`),
    'table.csv': (lines: string[]) =>
      Buffer.from(`n,text\n${lines.map((line) => Object.values(JSON.parse(line)).join(',')).join('\n')}\n`),
    'lines.bulk': (lines: string[]) => Buffer.from(lines.map((line) => `{"index":{}}\n${line}`).join('')),
  };

  it.each(Object.entries(formats))('after kill -9 loses and doubles nothing: %s', async (name, made) => {
    const lines = numbered(5000);
    put(name, made(lines));
    const args = [name, '--resume', 'state', '--bulk', '1', '--connections', '2'];
    const command = start(['import', ...args, '--index', 'books', '--url', url], { cwd });
    let isKilled = false;
    server.fate = (n) => {
      if (n < 3) return 'take';
      // One is taken and one is not when it ends.
      if (!isKilled) command.child.kill('SIGKILL');
      isKilled = true;
      return n === 3 ? 'breakTaken' : 'break';
    };
    expect((await command.ended).signal).toBe('SIGKILL');
    expect(server.documents.size).toBeGreaterThan(1000);
    expect(server.documents.size).toBeLessThan(5000);
    server.fate = () => 'take';
    const { status, out } = await imported(args);
    expect([status, out]).toEqual([0, expect.stringMatching(/^5,000 documents taken/)]);
    expect(sources().sort()).toEqual(lines.map((line) => line.trimEnd()).sort());
    server.bulks = 0;
    expect((await imported(args)).status).toBe(0);
    expect(server.bulks).toBe(0);
  });

  it('after SIGINT takes only what was not taken, and keeps what was refused', async () => {
    const lines = numbered(5000);
    put('books.jsonl', lines.join(''));
    server.statusOf = ({ source }) => (/^\{"n":\d*77,/.test(source!) ? 400 : undefined);
    const args = ['books.jsonl', '--bulk', '1', '--connections', '1'];
    const command = start(['import', ...args, '--index', 'books', '--url', url], { cwd });
    const held = gate();
    server.fate = async (n): Promise<Fate> => {
      if (n < 3) return 'take';
      command.child.kill('SIGINT');
      await held.opened;
      return 'take';
    };
    let err = '';
    command.child.stderr!.on('data', (chunk) => {
      err += chunk;
      if (err.includes('waiting for what is under way')) held.open();
    });
    const ended = await command.ended;
    expect(ended.status).toBe(130);
    expect(ended.err).toMatch(
      /stopped at books\.jsonl, line \d+; to go on, give the same command with --resume books\.jsonl\.resume\.json\n$/,
    );
    const before = server.sent.length;
    const again = await imported([...args, '--resume', 'books.jsonl.resume.json']);
    expect([again.status, again.out]).toEqual([
      1,
      expect.stringMatching(/^4,950 documents taken, 50 refused: /),
    ]);
    expect(before).toBeLessThan(5000);
    expect(server.sent).toHaveLength(5000);
    expect(refused('books.jsonl.refused.jsonl').map(({ line }) => line)).toEqual(
      Array.from({ length: 50 }, (_, n) => 100 * n + 78),
    );
  });

  it('ids of their own are taken again in their order, and what was created before is no conflict', async () => {
    const lines = numbered(3000).flatMap((line, n) => [`{"create":{"_id":"${n}"}}\n`, line]);
    put('books.bulk', lines.join(''));
    const args = ['books.bulk', '--resume', 'state', '--bulk', '1', '--connections', '1'];
    const command = start(['import', ...args, '--index', 'books', '--url', url], { cwd });
    server.fate = (n) => {
      if (n === 3) command.child.kill('SIGKILL');
      return n === 3 ? 'breakTaken' : 'take';
    };
    await command.ended;
    server.fate = () => 'take';
    expect((await imported(args)).status).toBe(0);
    expect(server.documents.size).toBe(3000);
    // Those of another import are.
    expect((await imported(['books.bulk', '--bulk', '1'])).status).toBe(1);
    expect(refused('books.bulk.refused.jsonl')).toHaveLength(3000);
  });

  it('what was refused before kill -9 is told once, also where its last line was torn', async () => {
    const lines = numbered(5000).map((line, n) => (n % 100 === 77 ? 'nothing\n' : line));
    put('books.jsonl', lines.join(''));
    const args = ['books.jsonl', '--resume', 'state', '--bulk', '1', '--connections', '1'];
    const command = start(['import', ...args, '--index', 'books', '--url', url], { cwd });
    server.fate = (n) => {
      if (n === 2) command.child.kill('SIGKILL');
      return 'take';
    };
    await command.ended;
    const file = join(cwd, 'books.jsonl.refused.jsonl');
    // Read ahead of what was taken.
    const { place } = JSON.parse(readFileSync(join(cwd, 'state'), 'utf8'));
    expect(refused('books.jsonl.refused.jsonl').at(-1)!.offset).toBeGreaterThan(place.offset);
    appendFileSync(file, '{"file":"');
    server.fate = () => 'take';
    const { status, out } = await imported(args);
    expect([status, out]).toEqual([1, expect.stringMatching(/^4,950 documents taken, 50 refused/)]);
    expect(refused('books.jsonl.refused.jsonl').map(({ line }) => line)).toEqual(
      Array.from({ length: 50 }, (_, n) => 100 * n + 78),
    );
  });

  it('in whichever of several files it was, each of its format', async () => {
    const lines = numbered(4000);
    put('one.jsonl', lines.slice(0, 1000).join(''));
    put('two.json', `[${lines.slice(1000, 3000).join(',')}]`);
    put('three.jsonl.gz', zlib.gzipSync(lines.slice(3000).join('')));
    const args = [
      'one.jsonl',
      'two.json',
      'three.jsonl.gz',
      '--resume',
      'state',
      '--bulk',
      '1',
      '--connections',
      '1',
    ];
    const command = start(['import', ...args, '--index', 'books', '--url', url], { cwd });
    server.fate = (n) => {
      if (n === 3) command.child.kill('SIGKILL');
      return n === 3 ? 'breakTaken' : 'take';
    };
    await command.ended;
    server.fate = () => 'take';
    const { status, out } = await imported(args);
    expect([status, out]).toEqual([0, expect.stringMatching(/^4,000 documents taken/)]);
    expect(sources().sort()).toEqual(lines.map((line) => line.trimEnd()).sort());
  });

  it('is refused while another process goes on with the same file', async () => {
    put('books.jsonl', numbered(10).join(''));
    const args = ['import', 'books.jsonl', '--index', 'books', '--url', url, '--resume', 'state'];
    const first = start(args, { cwd });
    let second: Ended | undefined;
    server.fate = async (): Promise<Fate> => {
      second ??= await run(args, { cwd });
      return 'take';
    };
    expect((await first.ended).status).toBe(0);
    const owner = `process ${first.child.pid}`;
    expect([second!.status, second!.err]).toEqual([
      2,
      `resilin: state is that of an import that goes on now, by ${owner}; see resilin import --help\n`,
    ]);
    expect(server.documents.size).toBe(10);
    expect(existsSync(join(cwd, 'state.lock'))).toBe(false);
    // Nothing is left to be done.
    expect((await run(args, { cwd })).status).toBe(0);
  });

  it('with another file, another index or no file of its own is refused', async () => {
    put('books.jsonl', '{"a":1}\n');
    expect((await imported(['books.jsonl', '--resume', 'state'])).status).toBe(0);
    const problem = async (args: string[]) => {
      const { status, err } = await run(['import', ...args, '--url', url], { cwd });
      expect(status).toBe(2);
      return err;
    };
    expect(await problem(['books.jsonl', '--index', 'others', '--resume', 'state'])).toMatch(
      /not to .*\/others\/doc/,
    );
    put('others.jsonl', '{"a":1}\n');
    expect(await problem(['others.jsonl', '--index', 'books', '--resume', 'state'])).toMatch(
      /it reads .*books\.jsonl/,
    );
    expect(await problem(['books.jsonl', '--index', 'books', '--id', 'a', '--resume', 'state'])).toMatch(
      /it reads with \{"isText":false\}, not with \{"id":"a"/,
    );
    utimesSync(join(cwd, 'books.jsonl'), 1, 1);
    expect(await problem(['books.jsonl', '--index', 'books', '--resume', 'state'])).toMatch(
      /books\.jsonl has changed/,
    );
    expect(await problem(['books.jsonl', '--index', 'books', '--resume', 'books.jsonl'])).toMatch(
      /no file of --resume/,
    );
    expect(await problem(['-', '--index', 'books', '--resume', 'state'])).toMatch(/--resume needs files/);
  });
});

describe('a pipe that stays open', () => {
  it('is sent while it waits, and to its end', async () => {
    const command = start(['import', '-', '--index', 'books', '--url', url], { cwd, input: OPEN });
    const first = gate();
    server.fate = () => {
      first.open();
      return 'take';
    };
    command.child.stdin!.write('{"a":1}\n{"a":');
    await first.opened;
    command.child.stdin!.end('2}');
    expect((await command.ended).status).toBe(0);
    expect(sources()).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('ends at Ctrl-C, when what is under way has its answer', async () => {
    const command = start(['import', '-', '--index', 'books', '--url', url], { cwd, input: OPEN });
    const held = gate();
    server.fate = async (): Promise<Fate> => {
      command.child.kill('SIGINT');
      await held.opened;
      return 'take';
    };
    command.child.stderr!.on('data', (chunk) => {
      if (String(chunk).includes('waiting')) held.open();
    });
    command.child.stdin!.write('{"a":1}\n');
    const { status, err } = await command.ended;
    expect([status, err]).toEqual([
      130,
      expect.stringContaining('stopped after 1 documents of the standard input'),
    ]);
  });
});

it('makes the index with what --mapping says, and sends who asks', async () => {
  put('books.jsonl', '{"a":1}\n');
  put('mapping.json', '{"properties":{"a":{"type":"long"}}}');
  const address = url.replace('//', '//ann:p%40ss@');
  const args = [
    'import',
    'books.jsonl',
    '--index',
    'books',
    '--mapping',
    'mapping.json',
    '--url',
    `${address}/es/`,
  ];
  expect((await run(args, { cwd })).status).toBe(0);
  const basic = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect(server.requests.map(({ method, path, authorization }) => [method, path, authorization])).toEqual([
    ['GET', '/es/', basic],
    ['HEAD', '/es/books', basic],
    ['PUT', '/es/books/_mapping/doc', basic],
    ['POST', '/es/books/doc/_bulk', basic],
  ]);
  await run(['import', 'books.jsonl', '--index', 'books', '--url', url], {
    cwd,
    env: { RESILIN_AUTHORIZATION: 'ApiKey a' },
  });
  expect(server.requests.at(-1)!.authorization).toBe('ApiKey a');
});

it('speaks https, and trusts nobody whom it does not know', async () => {
  const fixtures = join(import.meta.dirname, '../access/fixtures');
  const cert = join(fixtures, 'a.crt');
  const secure = new BulkServer({ cert: readFileSync(cert), key: readFileSync(join(fixtures, 'a.key')) });
  const address = (await secure.listen()).replace('127.0.0.1', 'localhost');
  try {
    put('books.jsonl', '{"a":1}\n');
    const args = ['import', 'books.jsonl', '--index', 'books', '--url', address];
    const unknown = await run(args, { cwd });
    expect([unknown.status, unknown.err]).toEqual([
      3,
      expect.stringMatching(/gives no answer: .*self.signed/),
    ]);
    expect((await run(args, { cwd, env: { NODE_EXTRA_CA_CERTS: cert } })).status).toBe(0);
    expect([...secure.documents.values()]).toEqual(['{"a":1}']);
  } finally {
    await secure.close();
  }
});

it('refuses wrong usage, and explains itself', async () => {
  put('books.jsonl', '{}\n');
  put('old.refused', '');
  put('pretty.json', '{\n  "a": 1\n}\n');
  put('what.xml', '<a/>');
  put('wide.jsonl', Buffer.from('\ufeff{"a":1}', 'utf16le'));
  const cases: [string[], RegExp][] = [
    [[], /import which file/],
    [['none.jsonl', '--index', 'b'], /there is no file .*none\.jsonl/],
    [['.', '--index', 'b'], /is a folder/],
    [['books.jsonl', '--bulk', '0'], /--bulk must be a number from 1 to 64/],
    [['books.jsonl', '--format', 'xml'], /--format must be one of/],
    [['books.jsonl', '--delimiter', '::'], /--delimiter must be one character/],
    [['books.jsonl', '--mapping', 'm'], /--mapping needs --index/],
    [['books.jsonl', 'books.jsonl'], /is named twice/],
    [['books.jsonl', '--what'], /unknown argument --what/],
    [['books.jsonl', '--index'], /--index needs a value/],
    [['books.jsonl', '--url', 'ftp://a'], /begins with http/],
    [['books.jsonl', '--index', 'b', '--refused', 'old.refused', '--url', url], /is there already/],
    [['pretty.json', '--index', 'b', '--url', url], /objects of several lines/],
    [['what.xml', '--index', 'b', '--url', url], /its format can't be told/],
    [['wide.jsonl', '--index', 'b', '--url', url], /is UTF-16/],
  ];
  for (const [args, message] of cases) {
    const { status, err } = await run(['import', ...args], { cwd });
    expect([args, status, err]).toEqual([args, 2, expect.stringMatching(message)]);
  }
  const help = await run(['import', '--help'], { cwd });
  expect([help.status, help.out]).toEqual([0, expect.stringContaining('--resume FILE')]);
});

it.runIf(hasFaults)('a full disk for the file of refused documents ends it; later it goes on', async () => {
  makeFaults(cwd);
  put('books.jsonl', '{"a":1}\nnothing\n{"a":2}\n');
  const env = {
    LD_PRELOAD: join(cwd, 'faults.so'),
    RESILIN_FAULT_CALL: 'write',
    RESILIN_FAULT_PATH: 'refused',
    RESILIN_FAULT_NTH: '1',
    RESILIN_FAULT_ERRNO: '28',
  };
  const args = [
    'import',
    'books.jsonl',
    '--index',
    'b',
    '--url',
    url,
    '--refused',
    'refused',
    '--resume',
    'state',
  ];
  const full = await run(args, { cwd, env });
  expect([full.status, full.err]).toEqual([3, expect.stringContaining("refused can't be written: ENOSPC")]);
  expect((await run(args, { cwd })).status).toBe(1);
  expect(sources()).toEqual(['{"a":1}', '{"a":2}']);
  expect(refused('refused')).toMatchObject([{ line: 2 }]);
  expect(existsSync(join(cwd, 'refused.part'))).toBe(false);
});
