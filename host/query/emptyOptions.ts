/** What 1.7 makes of `[]` where a query or filter has its options: its parser goes on past the list, each kind in its own way. */

import { NO_FIELD_NAME } from '../compat17/javaCasts.js';
import { ElasticsearchError, queryParsing } from '../errors.js';

/** 400 with a text. */
export function emptySays(detail: string): (index: string) => ElasticsearchError {
  return (index) => queryParsing(index, detail);
}

/** 400: 1.7 ends with an exception of Java. */
export function emptyCrashes(): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', null, { status: 400 });
}

/** 400: 1.7 looks a field up without a name. */
export function emptyHasNoField(): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', NO_FIELD_NAME, { status: 400 });
}
