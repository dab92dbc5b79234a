import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes a certificate for this machine that is its own authority, in a folder: its files. */
export function certificate(folder: string, name: string): { key: string; cert: string } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key, cert };
}
