/** The two columns that say when a table was made. */
import type { Engine } from '../../engine/engine.js';
import { type Column, column, type Row } from './table.js';

/** Their columns, with the words of the table they stand in. */
export function clockColumns(epoch: string, alias: string, timestamp: string): Column[] {
  return [column('epoch', 't,time', epoch), column('timestamp', alias, timestamp)];
}

/** Their cells. */
export function clockCells(engine: Engine): Row {
  const now = engine.now();
  return { epoch: Math.floor(now / 1000), timestamp: new Date(now).toISOString().slice(11, 19) };
}
