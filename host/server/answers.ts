/** How many answers were given. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from './log.js';

export class AnswerFigures {
  readonly byStatus = new Map<number, number>();

  /** Counts the answers of a server, and tells the log of each at its level `debug`. */
  watch(app: FastifyInstance, log?: Logger): void {
    app.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
      done();
      this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
      if (log?.isLevelEnabled('debug') !== true) return;
      const { method, url, ip } = request;
      log.debug(
        { method, url: url.slice(0, 1000), status, ms: Math.round(elapsedTime * 10) / 10, ip },
        'answer',
      );
    });
  }
}
