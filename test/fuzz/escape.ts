const shownMax = 3_000;

/** Bytes as text that can be read and typed: what is not printable ASCII as `\xNN`, the middle of long ones left out. */
export function escaped(bytes: Buffer, max = shownMax): string {
  const show = (part: Buffer): string =>
    part
      .toString('latin1')
      .replaceAll('\\', '\\\\')
      .replaceAll('\r', '\\r')
      .replaceAll('\n', '\\n')
      .replace(/[^\x20-\x7e]/g, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
  if (bytes.length <= max) return show(bytes);
  const half = max / 2;
  return `${show(bytes.subarray(0, half))} [${bytes.length - max} bytes more] ${show(bytes.subarray(-half))}`;
}
