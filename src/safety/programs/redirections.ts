/** What the redirections of a command do by themselves. */
import type { Report } from './report.ts';

/** `/dev/tcp/name/port` is a connection to a shell. */
const connection = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(\w+)/;

export function checkRedirections(report: Report): void {
  for (const { operator, target } of report.invocation.redirections) {
    const socket = target.text === null ? null : connection.exec(target.text);
    if (/^\/dev\/(tcp|udp)/.test(target.text ?? target.prefix ?? '')) {
      report.effect('network', `${target.source} is a connection`);
      if (socket?.[1] !== undefined) report.host(`${socket[1]}:${socket[2] ?? ''}`);
    } else if (operator.includes('>')) report.path('write', target, `the redirection ${operator}`, false);
    else if (target.text === null && /^"?(?:\$\(.*\)|`.*`)"?$/s.test(target.source))
      report.doubt(`${target.source} may be a connection`);
    else report.path('read', target, `the redirection ${operator}`, false);
  }
}
