/**
 * What can steer a terminal, or show text in another order than it has: C0, DEL and C1 control characters, bidirectional
 * controls, and lone surrogates, which a terminal may take for anything. Also the separators that some programs take for
 * the end of a line.
 */
const unsafe = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu;
const unsafeButLineEnd = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu;
const shownInstead = '\ufffd';

/** A text of others, safe to show on a terminal as one line: each unsafe character, line ends too, becomes U+FFFD. */
export function terminalLine(text: string): string {
  return text.replace(unsafe, shownInstead);
}

/** The same for text of several lines: line ends stay. */
export function terminalText(text: string): string {
  return text.replace(unsafeButLineEnd, shownInstead);
}

/** JSON text with the same value and no unsafe character: outside its strings JSON has none but line ends. */
export function terminalJson(json: string): string {
  return json.replace(unsafeButLineEnd, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
