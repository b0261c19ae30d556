// The lint rules of the page. Run from the repository's root, so that tests/e2e is covered too: see package.json.
import js from '@eslint/js';
import ts from 'typescript-eslint';

// base <- client <- timeline <- the spaces <- app: a room imports from itself and from what stands to its left, a space
// from no other space.
const rooms = [['base'], ['client'], ['timeline'], ['drill', 'arithmetic', 'reading', 'history'], ['app']];

const layerRules = rooms.flatMap((peers, index) =>
  peers.map((room) => ({
    files: [`web/src/${room}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [...peers.filter((peer) => peer !== room), ...rooms.slice(index + 1).flat()].map(
            (other) => ({
              regex: `^(\\.\\./)+${other}(/|$)`,
              message: `web/src/${room} may not import from web/src/${other}.`,
            }),
          ),
        },
      ],
    },
  })),
);

export default ts.config(
  { ignores: ['**/node_modules/**', 'build/**', 'build-*/**'] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
  {
    files: ['**/*_test.{ts,tsx}', 'tests/**/*.ts', 'web/src/**/testing/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', 'no-console': 'off' },
  },
  {
    files: ['web/*.mjs', 'tests/perfetto/*.mjs'],
    languageOptions: {
      globals: {
        Buffer: 'readonly',
        WebAssembly: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        process: 'readonly',
        setImmediate: 'readonly',
        URL: 'readonly',
        window: 'readonly',
      },
    },
  },
  ...layerRules,
);
