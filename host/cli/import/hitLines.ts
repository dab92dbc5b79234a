/**
 * Lines as `resilin export --metadata` writes them, each a hit: `{"_id":"1","_type":"book","_routing":"a","_version":3,"_source":{…}}`.
 * Sources are passed on as they are; versions are kept (`external_gte`), so that the same line may be taken twice.
 */
import { actionOf, readHit } from '../remote/hits.js';
import type { Place } from '../remote/place.js';
import { LineReader } from './lineReader.js';

export class HitLines extends LineReader {
  protected document(object: Buffer, place: Place): void {
    const hit = readHit(object);
    if (hit === undefined) this.sink.refuse('no hit with _id and _source', object.toString(), place);
    else this.sink.document(actionOf(hit), hit.id, hit.source, place);
  }
}
