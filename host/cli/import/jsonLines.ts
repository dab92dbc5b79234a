/** JSON lines: an object in each, whose bytes are passed on as they are. */
import { isWholeObject } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { idOf } from './ids.js';
import { isObject, LineReader } from './lineReader.js';

export class JsonLines extends LineReader {
  protected document(object: Buffer, place: Place, isWhole: boolean): void {
    const { id } = this.options;
    if (!isObject(object)) this.sink.refuse('no JSON object', object.toString(), place);
    else if (!isWhole && !isWholeObject(object))
      this.sink.refuse('the last line ends in the middle of its object', object.toString(), place);
    else if (id === undefined) this.sink.document(undefined, undefined, object, place);
    else {
      const value = idOf(object, id);
      if (value === undefined) this.sink.refuse(`no field ${id} that can be an id`, object.toString(), place);
      else this.sink.document(`{"index":{"_id":${JSON.stringify(value)}}}`, value, object, place);
    }
  }
}
