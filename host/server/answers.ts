/** How many answers were given. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from './log.js';

export class AnswerStats {
  readonly byStatus = new Map<number, number>();

  /** Adds answers that were given elsewhere. */
  add(answers: readonly (readonly [status: number, count: number])[]): void {
    for (const [status, count] of answers)
      this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + count);
  }

  /** What has been counted since this was called last. */
  take(): [status: number, count: number][] {
    const taken = [...this.byStatus];
    this.byStatus.clear();
    return taken;
  }

  /** Counts the answers of a server, and tells the log of each at its level `debug`. */
  watch(app: FastifyInstance, log?: Pick<Logger, 'isLevelEnabled' | 'debug'>): void {
    app.addHook('onResponse', (request, reply, done) => {
      done();
      const status = reply.statusCode;
      this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
      if (log?.isLevelEnabled('debug') !== true) return;
      const { method, url, ip } = request;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      log.debug({ method, url: withoutSecrets(url).slice(0, 1000), status, ms, ip }, 'answer');
    });
  }
}

/**
 * An address without the name and password that one with a host may have, without parameters, which may hold others' tokens, and without
 * ids of scrolls.
 */
function withoutSecrets(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/@]*@/i, '$1')
    .replace(/(\/_search\/scroll\/).+$/s, '$1...');
}
