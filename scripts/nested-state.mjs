// A transform of the AssemblyScript compiler: writes the bodies of `stateBytes`, `saveState`, `restoreState` and `resetState`
// (assembly/nesting.ts). A search keeps its state in globals and in blocks of static memory all over its modules; which they are, the
// compiler knows. So none can be forgotten: what a module below has is a call's own, unless it is named here as what all calls share.
import binaryen from 'binaryen';

const NESTING = 'assembly/nesting';
/** Modules whose globals and blocks belong to the call that is being carried out. */
const OWN =
  /^(assembly\/(search|aggregation|score|sort|similarity|docset|plan|postings|docvalues|terms|codec|expression)\/|assembly\/(requestStatus|result|workLimit)\/|~)/;
/** Of other modules: what a call is told by. */
const ALSO_OWN = new Set([
  'assembly/segment/intersectionCache/intersectionCount',
  'assembly/segment/intersectionCache/intersectionMaxima',
  'assembly/segment/uids/uidLength',
]);
/** What all calls share: tables that are filled once, caches, settings. */
const SHARED =
  /^assembly\/(docvalues\/sloppyMath\/|codec\/norm\/table$|workLimit\/step$|search\/kind\/table$|search\/filterCache\/(searches|oldestRunning|serials|met)$)/;

const isOwn = (name) => (OWN.test(name) || ALSO_OWN.has(name)) && !SHARED.test(name);

const SIZES = new Map([
  [binaryen.i32, 4],
  [binaryen.f32, 4],
  [binaryen.i64, 8],
  [binaryen.f64, 8],
]);
const KINDS = new Map([
  [binaryen.i32, 'i32'],
  [binaryen.f32, 'f32'],
  [binaryen.i64, 'i64'],
  [binaryen.f64, 'f64'],
]);

export default class NestedState {
  afterCompile(module) {
    if (!module.getFunction(`${NESTING}/saveState`)) return;
    const globals = [];
    const addresses = new Set();
    for (let i = 0, n = module.getNumGlobals(); i < n; i++) {
      const { name, mutable, type, init } = binaryen.getGlobalInfo(module.getGlobalByIndex(i));
      if (!isOwn(name)) continue;
      const { value } = binaryen.getExpressionInfo(init);
      if (mutable) globals.push({ name, type, value });
      else if (isStatic(this.program.elementsByName.get(name))) addresses.add(value);
    }
    const blocks = blocksOf(module, addresses);
    globals.sort((a, b) => SIZES.get(b.type) - SIZES.get(a.type));
    this.write(module, globals, blocks);
  }

  write(module, globals, blocks) {
    const { i32 } = module;
    const [save, restore, reset] = [[], [], []];
    const block = () => module.local.get(0, binaryen.i32);
    let at = 0;
    for (const { name, type, value } of globals) {
      const kind = module[KINDS.get(type)];
      const bytes = SIZES.get(type);
      save.push(kind.store(at, bytes, block(), module.global.get(name, type)));
      restore.push(module.global.set(name, kind.load(at, bytes, block())));
      reset.push(module.global.set(name, kind.const(value)));
      at += bytes;
    }
    at = (at + 15) & ~15;
    for (const { from, bytes } of blocks) {
      const kept = () => i32.add(block(), i32.const(at));
      save.push(module.memory.copy(kept(), i32.const(from), i32.const(bytes)));
      restore.push(module.memory.copy(i32.const(from), kept(), i32.const(bytes)));
      reset.push(module.memory.fill(i32.const(from), i32.const(0), i32.const(bytes)));
      at += bytes;
    }
    const body = (name, expression) =>
      binaryen.Function.setBody(module.getFunction(`${NESTING}/${name}`), expression);
    body('stateBytes', i32.const(at));
    body('saveState', module.block(null, save));
    body('restoreState', module.block(null, restore));
    body('resetState', module.block(null, reset));
  }
}

/** Whether a constant is the address of a block of static memory. */
function isStatic(element) {
  const range = element?.declaration?.initializer?.range;
  return range !== undefined && range.source.text.substring(range.start, range.end).includes('memory.data(');
}

/** The blocks of static memory at some addresses that are nothing but zeros at first, neighbours as one. */
function blocksOf(module, addresses) {
  const blocks = [];
  let before = -2;
  for (let i = 0, n = module.getNumDataSegments(); i < n; i++) {
    const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(i));
    const bytes = new Uint8Array(data);
    if (!addresses.has(offset) || bytes.some((byte) => byte !== 0)) continue;
    // Between neighbours there is nothing but padding.
    if (before === i - 1) blocks.at(-1).bytes = offset + bytes.length - blocks.at(-1).from;
    else blocks.push({ from: offset, bytes: bytes.length });
    before = i;
  }
  return blocks;
}
