// What tests start as processes of their own. Nobody calls these functions: `script/test --changed` goes by what a test
// imports, and would otherwise not know.
Object.freeze([
  () => import('../../src/main.ts'),
  () => import('../../workers/main.ts'),
  () => import('../../src/admin/main.ts'),
]);
