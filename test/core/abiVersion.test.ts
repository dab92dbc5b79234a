import { expect, it } from 'vitest';
import { Core } from '../../host/core/instance.js';

/** A string or a list with its length before it, as modules are encoded. */
const sized = (...bytes: number[]) => [bytes.length, ...bytes];
const text = (name: string) => sized(...Buffer.from(name));

/** A module that exports a memory and, if it has one, the version of its interface. */
function moduleOf(version?: number): WebAssembly.Module {
  const memory = [...text('memory'), 2, 0];
  const sections =
    version === undefined
      ? [5, ...sized(1, 0, 1), 7, ...sized(1, ...memory)]
      : [
          ...[1, ...sized(1, 0x60, 0, 1, 0x7f)],
          ...[3, ...sized(1, 0)],
          ...[5, ...sized(1, 0, 1)],
          ...[7, ...sized(2, ...memory, ...text('abiVersion'), 0, 0)],
          ...[10, ...sized(1, ...sized(0, 0x41, version, 0x0b))],
        ];
  return new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections]));
}

it('a core that speaks another version of the interface is refused, and what is no core', () => {
  expect(() => new Core(moduleOf(1))).toThrow(
    'the core has version 1 of its interface, the host needs version 7: build both from the same sources',
  );
  expect(() => new Core(moduleOf())).toThrow('the core has version 0 of its interface');
  expect(() => new Core(moduleOf(7))).not.toThrow();
});
