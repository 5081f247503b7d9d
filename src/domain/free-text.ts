import { z } from 'zod';
import { because } from '../errors.ts';

/**
 * What a text for people may not have: control characters (C0, DEL, C1) and bidirectional controls, which can make it look
 * like another one, and halves of surrogate pairs, which are no characters.
 */
const forbidden = String.raw`\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff`;
const forbiddenForm = new RegExp(`[${forbidden}]`, 'u');

/**
 * What of it is described: only what every engine of regular expressions reads alike, bytes or UTF-16 too. Lengths are beside it,
 * because a count in a pattern takes an emoji for two.
 */
const describedForm = String.raw`^[^\x00-\x1f\x7f]*$`;

/** A text for people, such as a description, a name or a reason. @param limits of its length, in code points. */
export function freeText({ min = 1, max }: Lengths) {
  const lengths = { ...(min === 0 ? {} : { minLength: min }), maxLength: max };
  const form = new RegExp(`^[^${forbidden}]{${min},${max}}$`, 'u');
  return z
    .string()
    .refine((text) => form.test(text), because('FIELD_MALFORMED', formOfText({ min, max })))
    .meta({ pattern: describedForm, ...lengths });
}

interface Lengths {
  readonly min?: number;
  readonly max: number;
}

/** What such a text is, in words. */
export function formOfText({ min = 1, max }: Lengths): string {
  return `${min} to ${max} characters, none of them a control character`;
}

/** Whether a text has a character that no {@link freeText} has. */
export function hasForbiddenCharacter(text: string): boolean {
  return forbiddenForm.test(text);
}
