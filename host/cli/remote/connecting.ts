/** What keeps a request from being answered, in words that help. */

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: "that name isn't known; is it spelt right?",
  EAI_AGAIN: "that name can't be looked up now; is it spelt right?",
  ECONNREFUSED: 'nothing listens there; is the server running, and is that its port for HTTP?',
  EHOSTUNREACH: 'there is no way to that machine',
  ENETUNREACH: 'there is no way to that machine',
  ETIMEDOUT: 'that machine says nothing; does a firewall keep it from this one?',
  EPROTO: 'it speaks no TLS; is it http:// in place of https://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; is it http:// in place of https://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks no TLS; is it http:// in place of https://?',
  HPE_INVALID_CONSTANT:
    'it speaks no HTTP; is it https:// in place of http://, or the port of the Java transport?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'NODE_EXTRA_CA_CERTS=FILE has the certificates of that file trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'NODE_EXTRA_CA_CERTS=FILE has the certificates of that file trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'NODE_EXTRA_CA_CERTS=FILE has the certificates of that file trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'NODE_EXTRA_CA_CERTS=FILE has the certificates of that file trusted',
};

/** What an error of a connection says, and what to look at. */
export function connectionProblem(error: Error): string {
  // Of several addresses of a name that were tried, each has its own error.
  const [first] = error.message === '' ? ((error as AggregateError).errors ?? []) : [];
  const one = (first instanceof Error ? first : error) as NodeJS.ErrnoException;
  const hint = BY_CODE[one.code ?? ''];
  const message = one.message === '' ? (one.code ?? one.name) : one.message;
  return hint === undefined ? message : `${message} (${hint})`;
}
