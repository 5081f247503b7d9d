import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const settingsInConfig = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Settings are read in src/config.ts alone.',
};

export default defineConfig(
  { ignores: ['node_modules/', '.node/', '.data/', 'packages/client/dist/', 'packages/client/src/openapi.ts'] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Numbers and booleans in a message read well as they are.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // One import a module: what is only a type says so beside what is not.
      'no-duplicate-imports': 'error',
      // `{ left, ...rest }` is how a field is left out of a copy.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // There are no enums, because `erasableSyntaxOnly` refuses them; to find that out took an eighth of the linter's time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        settingsInConfig,
        {
          selector:
            "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Ask a Clock (src/clock.ts) what time it is, because this machine may not know.',
        },
        {
          selector:
            "CallExpression[callee.name='newId'][arguments.length=1], CallExpression[callee.name='newOrder'][arguments.length=1]",
          message: 'Say what time it is, by a Clock (src/clock.ts).',
        },
      ],
    },
  },
  {
    // Files that a browser runs as they are: nothing but the browser knows their types.
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // They run at a client's: the reference's page in a browser, the other in Postman.
    files: ['src/http/page/*.js', 'script/docs/*.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // mongosh and Postman run them, and know no import.
    files: ['deploy/*.js', 'script/docs/*.js'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // A test file is a list of cases; its length says how much is protected, not how tangled it is.
    files: ['**/test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Packages stand alone: they know no Clock, and the client signs by its machine's time.
    files: ['packages/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', settingsInConfig] },
  },
  {
    files: ['src/config.ts', 'src/clock.ts', '{local,bench,script}/**/*.ts', '**/{test,examples}/**/*.ts', '*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
