import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });

export interface Authority {
  /** Its certificate in PEM, as text and as a file. */
  pem: string;
  file: string;
  /** A certificate for these names, such as `IP:127.0.0.1`, and its key: files in PEM. */
  sign(name: string, altNames: string, days?: number): { certFile: string; keyFile: string };
}

/** A certificate authority of a test's own, in this folder. */
export function createAuthority(folder: string, name: string): Authority {
  const [file, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile];
  openssl('req', '-x509', ...key, '-out', file, '-days', '30', '-subj', `/CN=${name}`);
  return {
    pem: readFileSync(file, 'utf8'),
    file,
    sign(subject, altNames, days = 30) {
      const [certFile, ownKeyFile] = [join(folder, `${subject}.pem`), join(folder, `${subject}.key`)];
      const own = ['-newkey', 'rsa:2048', '-nodes', '-keyout', ownKeyFile, '-subj', `/CN=${subject}`];
      const signed = ['-CA', file, '-CAkey', keyFile, '-addext', `subjectAltName=${altNames}`, '-days', String(days)];
      openssl('req', '-x509', ...own, ...signed, '-out', certFile);
      return { certFile, keyFile: ownKeyFile };
    },
  };
}
