// A transform of the AssemblyScript compiler, for debug builds (asconfig.json): puts a call of `watch` before every load and store,
// and what watches in place of copies and fills (assembly/memory/lifetimes.ts). The allocators, which work in memory that is free, are
// left as they are.
import binaryen from 'binaryen';

const WATCHING = 'assembly/memory/lifetimes';
const UNWATCHED = /^(start:)?assembly\/memory\/(lifetimes|heap|arena)\b/;

/** The operands of every kind of expression that the compiler makes. */
const OPERANDS = {
  Block: ['Children'],
  If: ['Condition', 'IfTrue', 'IfFalse'],
  Loop: ['Body'],
  Break: ['Condition', 'Value'],
  Switch: ['Condition', 'Value'],
  Call: ['Operands'],
  CallIndirect: ['Target', 'Operands'],
  LocalGet: [],
  LocalSet: ['Value'],
  GlobalGet: [],
  GlobalSet: ['Value'],
  Load: ['Ptr'],
  Store: ['Ptr', 'Value'],
  Const: [],
  Unary: ['Value'],
  Binary: ['Left', 'Right'],
  Select: ['IfTrue', 'IfFalse', 'Condition'],
  Drop: ['Value'],
  Return: ['Value'],
  Nop: [],
  Unreachable: [],
  MemorySize: [],
  MemoryGrow: ['Delta'],
  MemoryCopy: ['Dest', 'Source', 'Size'],
  MemoryFill: ['Dest', 'Value', 'Size'],
  SIMDExtract: ['Vec'],
  SIMDReplace: ['Vec', 'Value'],
  SIMDShuffle: ['Left', 'Right'],
  SIMDTernary: ['A', 'B', 'C'],
  SIMDShift: ['Vec', 'Shift'],
  SIMDLoad: ['Ptr'],
  SIMDLoadStoreLane: ['Ptr', 'Vec'],
};
/** Operands that are lists, and what one of them is called. */
const LISTS = { Children: 'Child', Operands: 'Operand' };
const KINDS = new Map(Object.keys(OPERANDS).map((kind) => [binaryen[`${kind}Id`], kind]));

/** Bytes that a vector is loaded from, or a lane of it stored to. */
const VECTOR_BYTES = new Map(
  Object.entries({
    1: ['Load8SplatVec128', 'Load8LaneVec128', 'Store8LaneVec128'],
    2: ['Load16SplatVec128', 'Load16LaneVec128', 'Store16LaneVec128'],
    4: ['Load32SplatVec128', 'Load32ZeroVec128', 'Load32LaneVec128', 'Store32LaneVec128'],
    8: [
      ...['Load64SplatVec128', 'Load64ZeroVec128', 'Load64LaneVec128', 'Store64LaneVec128'],
      ...['Load8x8SVec128', 'Load8x8UVec128', 'Load16x4SVec128', 'Load16x4UVec128'],
      ...['Load32x2SVec128', 'Load32x2UVec128'],
    ],
  }).flatMap(([bytes, names]) => names.map((name) => [binaryen[name], Number(bytes)])),
);

/** Puts calls into the functions of one module. */
class Watcher {
  constructor(module) {
    this.module = module;
  }

  call(name, operands, result) {
    return this.module.call(`${WATCHING}/${name}`, operands, result);
  }

  watch(ptr, offset, bytes) {
    // Tables of the module lie at addresses that are known: they live for ever.
    if (binaryen.getExpressionId(ptr) === binaryen.ConstId) return ptr;
    const { i32 } = this.module;
    return this.call('watch', [ptr, i32.const(offset), i32.const(bytes)], binaryen.i32);
  }

  /** What stands in place of an expression, whose operands have been visited. */
  replace(kind, expression) {
    const type = binaryen[kind];
    switch (kind) {
      case 'Load':
      case 'Store':
        type.setPtr(
          expression,
          this.watch(type.getPtr(expression), type.getOffset(expression), type.getBytes(expression)),
        );
        return expression;
      case 'SIMDLoad':
      case 'SIMDLoadStoreLane': {
        const bytes = VECTOR_BYTES.get(type.getOp(expression));
        if (bytes === undefined)
          throw new Error(`the size of vector access ${type.getOp(expression)} is unknown`);
        type.setPtr(expression, this.watch(type.getPtr(expression), type.getOffset(expression), bytes));
        return expression;
      }
      case 'MemoryCopy':
        return this.call(
          'copyWatched',
          [type.getDest(expression), type.getSource(expression), type.getSize(expression)],
          binaryen.none,
        );
      case 'MemoryFill':
        return this.call(
          'fillWatched',
          [type.getDest(expression), type.getValue(expression), type.getSize(expression)],
          binaryen.none,
        );
      default:
        return expression;
    }
  }

  visit(expression) {
    const id = binaryen.getExpressionId(expression);
    const kind = KINDS.get(id);
    if (kind === undefined) throw new Error(`the operands of expressions of kind ${id} are unknown`);
    const type = binaryen[kind];
    for (const operand of OPERANDS[kind]) {
      const one = LISTS[operand];
      if (one !== undefined) {
        for (let i = 0, n = type[`getNum${operand}`](expression); i < n; i++)
          type[`set${one}At`](expression, i, this.visit(type[`get${one}At`](expression, i)));
      } else {
        const child = type[`get${operand}`](expression);
        if (child) type[`set${operand}`](expression, this.visit(child));
      }
    }
    return this.replace(kind, expression);
  }
}

export default class WatchMemory {
  afterCompile(module) {
    const watcher = new Watcher(module);
    for (let i = 0, n = module.getNumFunctions(); i < n; i++) {
      const fn = module.getFunctionByIndex(i);
      const { name, body } = binaryen.getFunctionInfo(fn);
      if (body && !UNWATCHED.test(name)) binaryen.Function.setBody(fn, watcher.visit(body));
    }
  }
}
