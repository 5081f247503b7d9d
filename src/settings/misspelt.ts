/** A variable that is no setting, and what is probably meant: a setting, or a command in the place of one. */
export interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

/** What was a setting, and the command that does its work now. */
const replaced: Readonly<Record<string, string>> = { CURRENCIES: 'admin currencies add' };

/** In shorter names one letter may be another word: PORTS, APP_PORT. */
const longNameMin = 9;
const shortNameMin = 6;
/** None is longer than a setting's by more than this. */
const editsMax = 2;

/**
 * Finds variables whose names are nearly those of settings: the same letters but for case and `_`, or one letter wrong, too
 * many or too few, in long names two; or a setting's with `_FILE`, which may not be in a file. The value is never looked at,
 * because it may be a secret.
 * @param settingNames names that have an effect.
 */
export function misspeltSettings(env: NodeJS.ProcessEnv, settingNames: ReadonlySet<string>): Misspelt[] {
  const names = Object.keys(env).filter((name) => env[name] !== '' && !settingNames.has(name));
  return names.flatMap((name) => {
    const meant =
      replaced[name] ?? [...settingNames].find((setting) => isNear(name, setting) || name === `${setting}_FILE`);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isNear(name: string, setting: string): boolean {
  if (lettersOf(name) === lettersOf(setting)) return true;
  const length = Math.min(name.length, setting.length);
  const allowed = length >= longNameMin ? editsMax : length >= shortNameMin ? 1 : 0;
  if (Math.abs(name.length - setting.length) > allowed) return false;
  return editDistance(name.toUpperCase(), setting) <= allowed;
}

const lettersOf = (name: string): string => name.replaceAll('_', '').toUpperCase();

/** Letters to change, to add or to leave out until one is the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [line, letter] of one.split('').entries()) {
    const next = [line + 1];
    for (const [column, against] of other.split('').entries()) {
      const replaced = (row[column] ?? 0) + Number(letter !== against);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
