// Loaded into the web process before its own code: what is in use can be told from what is not yet collected only after
// a collection, and V8 waits with that until it needs the memory.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
});
