/**
 * Every value that came under a header's name: none, one, or, where a header was repeated, several. Node would make all
 * headers of a request into lists for that, and few are asked for.
 * @param rawHeaders names and values by turns, as `IncomingMessage.rawHeaders` has them. Source: Node.js documentation, "http".
 * @param name in lower case.
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [candidate, value] = [rawHeaders[index], rawHeaders[index + 1]];
    if (candidate?.length === name.length && value !== undefined && candidate.toLowerCase() === name)
      values.push(value);
  }
  return values;
}
